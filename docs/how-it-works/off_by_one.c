// Reads one element too many.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int samples[4] = {1, 2, 3, 4};
    int i = __VERIFIER_nondet_int();

    if (i < 0 || i > 4) return 0;
    assert(samples[i] >= 1);
    return 0;
}
