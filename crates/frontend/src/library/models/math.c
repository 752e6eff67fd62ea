// <math.h>: functions whose results are exact or correctly rounded, over those of the table; and of others, which C
// does not say how to round, the range of the results.

//: fmax
//= double -> float, fmax -> fmaxf
//= double -> long double, fmax -> fmaxl
double fmax(double x, double y) {
    return x != x || x < y ? y : x;
}

//: fmin
//= double -> float, fmin -> fminf
//= double -> long double, fmin -> fminl
double fmin(double x, double y) {
    return x != x || x > y ? y : x;
}

//: fdim
//= double -> float, fdim -> fdimf
//= double -> long double, fdim -> fdiml
double fdim(double x, double y) {
    return x <= y ? 0 : x - y;
}

//: modf
//= double -> float, trunc -> truncf, copysign -> copysignf, modf -> modff
//= double -> long double, trunc -> truncl, copysign -> copysignl, modf -> modfl
double trunc(double x);
double copysign(double x, double sign);
double modf(double x, double *whole) {
    *whole = trunc(x);
    return copysign(x == *whole ? 0 : x - *whole, x);
}

//: frexp
double frexp(double x, int *exponent) {
    union { double value; unsigned long long bits; } u;
    int biased;
    int scaled = 0;
    *exponent = 0;
    if (x == 0 || x != x || x - x != 0) return x; /* zero, NaN, infinity */
    u.value = x;
    biased = (int)(u.bits >> 52) & 0x7ff;
    if (biased == 0) { /* subnormal: made normal by 2^64 */
        u.value = x * 18446744073709551616.0;
        biased = (int)(u.bits >> 52) & 0x7ff;
        scaled = 64;
    }
    *exponent = biased - 1022 - scaled;
    u.bits = (u.bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull;
    return u.value;
}

//: frexpf
double frexp(double x, int *exponent);
float frexpf(float x, int *exponent) {
    return (float)frexp(x, exponent);
}

//: scalbn
// In at most three steps, of which all but the last are exact: 2^-969 keeps a result that is to
// become subnormal 53 bits away from it.
static double __ravelin_power_of_two(int exponent) {
    union { double value; unsigned long long bits; } u;
    u.bits = (unsigned long long)(exponent + 1023) << 52;
    return u.value;
}
double scalbn(double x, int n) {
    int steps;
    for (steps = 0; steps < 2; steps++) {
        if (n > 1023) {
            x *= __ravelin_power_of_two(1023);
            n -= 1023;
        } else if (n < -1022) {
            x *= __ravelin_power_of_two(-969);
            n += 969;
        }
    }
    if (n > 1023) n = 1023;
    if (n < -1022) n = -1022;
    return x * __ravelin_power_of_two(n);
}

//: ldexp
//= double -> float, scalbn -> scalbnf, ldexp -> ldexpf
double scalbn(double x, int n);
double ldexp(double x, int n) {
    return scalbn(x, n);
}

//: scalbln
//= double -> float, scalbn -> scalbnf, scalbln -> scalblnf
double scalbn(double x, int n);
double scalbln(double x, long n) {
    return scalbn(x, n > 10000 ? 10000 : n < -10000 ? -10000 : (int)n);
}

//: scalbnf
// Exact in double for all n that matter, so rounded once.
double scalbn(double x, int n);
float scalbnf(float x, int n) {
    return (float)scalbn(x, n > 400 ? 400 : n < -400 ? -400 : n);
}

//: ilogb
double frexp(double x, int *exponent);
int ilogb(double x) {
    int exponent;
    if (x == 0 || x != x) return -2147483647 - 1;
    if (x - x != 0) return 2147483647;
    frexp(x, &exponent);
    return exponent - 1;
}

//: ilogbf
int ilogb(double x);
int ilogbf(float x) {
    return ilogb(x);
}

//: logb
double frexp(double x, int *exponent);
double logb(double x) {
    int exponent;
    if (x == 0) return -1 / (x * x);
    if (x != x || x - x != 0) return x * x;
    frexp(x, &exponent);
    return exponent - 1;
}

//: logbf
double logb(double x);
float logbf(float x) {
    return (float)logb(x);
}

//: nextafterf
//= nextafterf -> nextafter, float -> double, unsigned -> unsigned long long
float nextafterf(float x, float y) {
    union { float value; unsigned bits; } u;
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    u.value = x;
    if (x == 0) {
        u.bits = 1;
        return y < 0 ? -u.value : u.value;
    }
    if ((x < y) == (x > 0)) u.bits++;
    else u.bits--;
    return u.value;
}

//: remainder
// x - n * y for the integer n nearest to x / y, the even one if two are.
double fmod(double x, double y);
double fabs(double x);
double copysign(double x, double sign);
double remainder(double x, double y) {
    double rest;
    double divisor = fabs(y);
    int odd = 0;
    if (x != x || y != y || x - x != 0 || y == 0) return (x * y) / (x * y);
    if (y - y != 0) return x;
    rest = fabs(x);
    /* Modulo 2|y|, which tells whether the quotient is odd; it may be too large to be written. */
    if (divisor <= 8.98846567431157854e307) rest = fmod(rest, divisor + divisor);
    if (rest >= divisor) {
        rest -= divisor;
        odd = 1;
    }
    /* Now 0 <= rest < |y|; rest > |y| - rest compares exactly (Sterbenz) where it matters. */
    if (rest > divisor - rest || (odd && rest == divisor - rest)) rest -= divisor;
    if (rest == 0) return copysign(0, x);
    return x < 0 ? -rest : rest;
}

//: remainderf
// The remainder of two floats is a float, so rounding to it is exact.
double remainder(double x, double y);
float remainderf(float x, float y) {
    return (float)remainder(x, y);
}

//: sin
//= sin -> cos
//= double -> float, __ravelin_inexact_double -> __ravelin_inexact_float, sin -> sinf
//= double -> float, __ravelin_inexact_double -> __ravelin_inexact_float, sin -> cosf
double __ravelin_inexact_double(void);
void __ravelin_assume(_Bool holds);
void __ravelin_set_errno(int error);
double sin(double x) {
    double y = __ravelin_inexact_double();
    if (x != x) return x;
    if (x - x != 0) {
        __ravelin_set_errno(33); /* EDOM */
        return x - x;
    }
    __ravelin_assume(-1 <= y && y <= 1);
    return y;
}

//: exp
//= exp -> exp2
//= double -> float, __ravelin_inexact_double -> __ravelin_inexact_float, exp -> expf
//= double -> float, __ravelin_inexact_double -> __ravelin_inexact_float, exp -> exp2f
// Too large and too small results are errors.
double __ravelin_inexact_double(void);
void __ravelin_assume(_Bool holds);
void __ravelin_set_errno(int error);
void __ravelin_may_set_errno(void);
double exp(double x) {
    double y = __ravelin_inexact_double();
    if (x != x) return x;
    if (x - x != 0) return x > 0 ? x : 0;
    __ravelin_assume(x > 0 ? y >= 1 : x < 0 ? y >= 0 && y <= 1 : y == 1);
    if (x > 1 || x < -1) __ravelin_may_set_errno();
    return y;
}

//: log
//= log -> log2
//= log -> log10
//= double -> float, __ravelin_inexact_double -> __ravelin_inexact_float, log -> logf
//= double -> float, __ravelin_inexact_double -> __ravelin_inexact_float, log -> log2f
//= double -> float, __ravelin_inexact_double -> __ravelin_inexact_float, log -> log10f
double __ravelin_inexact_double(void);
void __ravelin_assume(_Bool holds);
void __ravelin_set_errno(int error);
double log(double x) {
    double y = __ravelin_inexact_double();
    if (x != x) return x;
    if (x == 0) {
        __ravelin_set_errno(34); /* ERANGE */
        return -1 / (double)0;
    }
    if (x < 0) {
        __ravelin_set_errno(33); /* EDOM */
        return (x - x) / (double)0;
    }
    if (x - x != 0) return x;
    __ravelin_assume(x > 1 ? y >= 0 && y - y == 0 : x < 1 ? y <= 0 && y - y == 0 : y == 0);
    return y;
}
