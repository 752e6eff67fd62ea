// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-deref

// CWE-680: the longest texts have no room for what comes before them, because their size wraps around.
#include <stdlib.h>

#ifndef MOST
#define MOST 4294967295u
#endif

extern unsigned __VERIFIER_nondet_uint(void);

struct text {
    unsigned length, hash;
    char bytes[];
};

static struct text *make(unsigned length) {
    if (length > MOST) return NULL;
    unsigned size = length + sizeof(struct text);
    struct text *text = malloc(size);
    text->length = length;
    text->hash = 0;
    return text;
}

int main(void) {
    free(make(__VERIFIER_nondet_uint()));
    return 0;
}
