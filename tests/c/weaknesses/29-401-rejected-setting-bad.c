// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 1 valid-memtrack

// CWE-401: a setting that is not accepted leaves its memory behind.
#include <stdlib.h>

#ifndef REJECT
#define REJECT(setting) return 1
#endif

extern int __VERIFIER_nondet_int(void);

struct setting {
    int key, value;
};

static int apply(int key, int value) {
    struct setting *setting = malloc(sizeof *setting);
    setting->key = key;
    setting->value = value;
    if (setting->value < 0) REJECT(setting);
    free(setting);
    return 0;
}

int main(void) { return apply(1, __VERIFIER_nondet_int()); }
