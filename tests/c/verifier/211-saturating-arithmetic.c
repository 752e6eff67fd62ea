// run: exit 0
// verdict: TRUE

// CBMC's sums that stop at the ends of their type, which no promotion widens, and its equality of representations.
#include <limits.h>

int main(void) {
    signed char c = 100, d = -100;
    unsigned char u = 200;
    short s = SHRT_MIN;
    double zero = 0.0, minus = -zero, one = 1.0;
    __CPROVER_assert(__CPROVER_saturating_plus(INT_MAX, 1) == INT_MAX, "up");
    __CPROVER_assert(__CPROVER_saturating_plus(INT_MIN, -1) == INT_MIN, "down");
    __CPROVER_assert(__CPROVER_saturating_minus(INT_MIN, 1) == INT_MIN, "down");
    __CPROVER_assert(__CPROVER_saturating_minus(0, INT_MIN) == INT_MAX, "up");
    __CPROVER_assert(__CPROVER_saturating_minus(-1, INT_MIN) == INT_MAX, "it fits");
    __CPROVER_assert(__CPROVER_saturating_plus(INT_MIN, INT_MAX) == -1, "it fits");
    __CPROVER_assert(__CPROVER_saturating_plus(c, c) == 127 && __CPROVER_saturating_plus(d, d) == -128, "char");
    __CPROVER_assert(__CPROVER_saturating_minus(c, d) == 127 && __CPROVER_saturating_minus(d, c) == -128, "char");
    __CPROVER_assert(__CPROVER_saturating_plus(u, u) == 255, "unsigned char");
    __CPROVER_assert(__CPROVER_saturating_minus(s, s) == 0 && __CPROVER_saturating_plus(s, s) == SHRT_MIN, "short");
    __CPROVER_assert(__CPROVER_saturating_plus(ULONG_MAX, 1ul) == ULONG_MAX, "unsigned");
    __CPROVER_assert(__CPROVER_saturating_minus(1ul, 2ul) == 0, "unsigned");
    __CPROVER_assert(!__CPROVER_equal(zero, minus) && zero == minus && __CPROVER_equal(one, one), "the sign of zero");
    __CPROVER_assert(__CPROVER_equal(c, c) && !__CPROVER_equal(c, d), "integers");
    return 0;
}
