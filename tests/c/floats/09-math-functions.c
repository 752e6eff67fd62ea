// run: exit 0
// verdict: TRUE

// Only functions whose results are exact.
#include <assert.h>
#include <math.h>

int main(void) {
    double x = -2.5;
    assert(fabs(x) == 2.5);
    assert(floor(x) == -3 && ceil(x) == -2 && trunc(x) == -2);
    assert(sqrt(16.0) == 4 && sqrt(2.0) == 0x1.6a09e667f3bcdp+0);
    assert(fmin(1.0, x) == x && fmax(1.0, x) == 1.0);
    assert(fmod(7.5, 2.0) == 1.5 && fmod(-7.5, 2.0) == -1.5);
    assert(signbit(x) && !signbit(2.5));
    assert(isinf(HUGE_VAL) && isfinite(x));
    assert(round(x) == -3 && round(2.4) == 2);
    assert(copysign(3.0, x) == -3.0);
    return 0;
}
