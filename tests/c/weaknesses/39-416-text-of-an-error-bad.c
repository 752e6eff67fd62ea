// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-deref

// CWE-416: a function returns the text of an error that it has just freed.
#include <stdlib.h>

#ifndef RESULT
#define RESULT(error) error
#endif

extern unsigned __VERIFIER_nondet_uint(void);

static char *error_text(unsigned code) {
    char *error = malloc(3);
    error[0] = 'E';
    error[1] = (char)('0' + code);
    error[2] = 0;
    if (code != 0) return error;
    free(error);
    return RESULT(error);
}

int main(void) {
    char *text = error_text(__VERIFIER_nondet_uint() % 4);
    if (text && text[0] != 'E') return 1;
    free(text);
    return 0;
}
