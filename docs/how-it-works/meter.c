// A meter counts ticks, and its lamp blinks: on in every other round.
// Values show what the lamp does; the count needs a relation between two variables.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned ticks = __VERIFIER_nondet_uint();
    unsigned counted = 0;
    int lamp = 0;
    while (counted < ticks) {
        assert(lamp == 0 || lamp == 1);
        lamp = 1 - lamp;
        counted++;
    }
    assert(counted <= ticks);
    return 0;
}
