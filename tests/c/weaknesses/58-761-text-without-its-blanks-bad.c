// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 1 valid-free

// CWE-761: the pointer to a text has moved over its blanks before the text is freed.
#include <stdlib.h>

#ifndef START
#define START text
#endif

extern char __VERIFIER_nondet_char(void);

int main(void) {
    char *whole = malloc(3), *text = whole;
    whole[0] = __VERIFIER_nondet_char();
    whole[1] = __VERIFIER_nondet_char();
    whole[2] = 0;
    while (*text == ' ') text++;
    int is_empty = *text == 0;
    free(START);
    return is_empty;
}
