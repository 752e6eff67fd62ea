// run: exit 0
// verdict: TRUE

// Division by zero is defined for IEEE types (C11 annex F).
#include <assert.h>

int main(void) {
    double zero = 0.0, minus_zero = -0.0;
    assert(zero == minus_zero);
    assert(1 / zero > 1e308);
    assert(1 / minus_zero < -1e308);
    assert(1 / zero != 1 / minus_zero);
    double inf = 1 / zero;
    assert(inf == inf + 1 && inf == inf * 2);
    assert(1 / inf == 0);
    assert(1e308 * 10 == inf);
    assert((float)1e39 == inf);
    assert(5e-324 > 0 && 5e-324 / 2 == 0);
    assert(!minus_zero);
    double neg = -zero;
    assert(1 / neg < 0);
    assert(1 / (zero + minus_zero) > 0);
    assert(1 / (0 - zero) > 0);
    return 0;
}
