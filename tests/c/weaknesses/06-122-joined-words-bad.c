// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-122: two words are joined in a block that has no byte for the end of the text.
#include <stdlib.h>
#include <string.h>

#ifndef END
#define END 0
#endif

static char *joined(const char *first, const char *second) {
    char *text = malloc(strlen(first) + strlen(second) + END);
    strcpy(text, first);
    strcat(text, second);
    return text;
}

int main(void) {
    char *name = joined("lost", "found");
    int begins = name[0] == 'l';
    free(name);
    return !begins;
}
