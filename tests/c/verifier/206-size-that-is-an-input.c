// outcomes: 0 error
// verdict: FALSE

// The size of an object that is made with an input.
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
__SIZE_TYPE__ __ESBMC_get_object_size(const void *);
extern void reach_error(void);

static void check(void *block) {
    if (__ESBMC_get_object_size(block) >= 40) reach_error();
}

int main(void) {
    unsigned size = __VERIFIER_nondet_uint();
    if (size == 0 || size >= 60) return 0;
    check(malloc(size));
    return 0;
}
