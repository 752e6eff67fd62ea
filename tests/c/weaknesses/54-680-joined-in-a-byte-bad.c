// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-deref

// CWE-680: the length of two halves is kept in a byte, which is too small for both.
#include <stdlib.h>
#include <string.h>

#ifndef LENGTH
#define LENGTH unsigned char
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);

static const char filler[256];

static char *join(unsigned char first, unsigned char second) {
    LENGTH whole = first + second;
    char *joined = malloc(whole);
    memcpy(joined, filler, first);
    return joined;
}

int main(void) {
    unsigned char first = __VERIFIER_nondet_uchar(), second = __VERIFIER_nondet_uchar();
    if (first > 200 || second > 100) return 0;
    free(join(first, second));
    return 0;
}
