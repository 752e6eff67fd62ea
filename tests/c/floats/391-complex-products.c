// options: --data-model LP64
// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <complex.h>
#include <math.h>

static double complex make(double re, double im) {
    double complex z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}

int main(void) {
    // C11 annex G: an infinite operand makes an infinite product, though both parts would be NaN.
    double complex z = make(INFINITY, NAN) * make(1, 0);
    assert(isinf(creal(z)));
    z = make(INFINITY, INFINITY) * make(INFINITY, INFINITY);
    assert(isnan(creal(z)) == 0 || isinf(cimag(z)));
    z = make(NAN, 1) * make(2, 3);
    assert(isnan(creal(z)) && isnan(cimag(z)));

    z = make(4, 2) / make(1, 1);
    assert(z == 3 - I);
    z = make(1, 2) / make(3, -4);
    assert(creal(z) == -0.2 && cimag(z) == 0.4);
    assert(1 / make(0, 2) == -0.5 * I);
    z = make(1, 1) / make(0, 0);
    assert(isinf(creal(z)) && isinf(cimag(z)));
    z = make(1, 1) / make(INFINITY, 1);
    assert(z == 0);
    z = make(1e300, 1e300) / make(1e300, 1e300);
    assert(z == 1);
    float complex f = 1.0f + 2.0if;
    f /= 3.0f + 1.0if;
    assert(crealf(f) == 0.5f && cimagf(f) == 0.5f);
    long double complex l = 3.0L + 4.0iL;
    assert(l * l == -7 + 24.0iL && l / l == 1);

    // A real operand stays real, so that the zeros keep their signs.
    z = make(-0.0, 1) + 1.0;
    assert(creal(z) == 1);
    z = 0.0 - make(0.0, 0.0);
    assert(signbit(cimag(z)) && !signbit(creal(z)));
    z = cproj(make(1, -INFINITY));
    assert(creal(z) == INFINITY && signbit(cimag(z)));
    return 0;
}
