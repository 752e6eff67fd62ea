// run: exit 0
// verdict: TRUE

// The rounding mode is state: arithmetic, conversions and rint follow it, casts to integers do not.
#include <assert.h>
#include <fenv.h>
#include <math.h>

static double one = 1.0, three = 3.0, tiny = 0x1p-80, big = 0x1.fffffffffffffp+1023;
static double above = 2.1, half = 2.5, most = 2.9, two = 2.0;
static int odd = 16777217;
static float third;

static double quotient(int mode) {
    assert(fesetround(mode) == 0 && fegetround() == mode);
    double q = one / three;
    fesetround(FE_TONEAREST);
    return q;
}

int main(void) {
    double low = quotient(FE_DOWNWARD), high = quotient(FE_UPWARD);
    assert(low < high && quotient(FE_TOWARDZERO) == low && quotient(FE_TONEAREST) == low);
    assert(-quotient(FE_UPWARD) == -high);

    fesetround(FE_UPWARD);
    assert(one + tiny > one && one - tiny == one && -one - tiny == -one);
    assert(big + one > big && rint(above) == 3 && nearbyint(-half) == -2 && lrint(half) == 3);
    third = one / three;
    assert(third > 0.3333333333333334 && (int)most == 2 && (float)odd == 16777218);
    assert(sqrt(two) * sqrt(two) > 2.0);

    fesetround(FE_DOWNWARD);
    assert(one + tiny == one && one - tiny < one && rint(-half) == -3 && llrint(most) == 2);
    double zero = one - one;
    assert(signbit(zero) && big * three == big);

    fesetround(FE_TOWARDZERO);
    assert(-one - tiny == -one && one - tiny < one && rint(-most) == -2);
    assert(fesetround(12345) != 0 && fegetround() == FE_TOWARDZERO);

    fenv_t saved;
    assert(fegetenv(&saved) == 0 && fesetenv(FE_DFL_ENV) == 0 && fegetround() == FE_TONEAREST);
    assert(fesetenv(&saved) == 0 && fegetround() == FE_TOWARDZERO);
    return 0;
}
