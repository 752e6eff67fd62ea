// run: error
// verdict: FALSE

// Halving an odd exponent loses one factor.
#include <assert.h>

static int power(int base, int exponent) {
    if (exponent == 1) return base;
    int half = power(base, exponent / 2);
    return half * half;
}

int main(void) {
    assert(power(2, 4) == 16);
    assert(power(2, 5) == 32);
    return 0;
}
