// <complex.h>, and the products and quotients of complex numbers against gcc's operators.

#include <complex.h>
#undef I

MODEL(creal); MODEL(cimag); MODEL(conj); MODEL(cproj); MODEL(crealf); MODEL(cimagf); MODEL(conjf); MODEL(cprojf);
MODEL(creall); MODEL(cimagl); MODEL(conjl); MODEL(cprojl);
float _Complex model___ravelin_multiply_float(float, float, float, float);
double _Complex model___ravelin_multiply_double(double, double, double, double);
long double _Complex model___ravelin_multiply_long_double(long double, long double, long double, long double);
float _Complex model___ravelin_divide_float(float, float, float, float);
double _Complex model___ravelin_divide_double(double, double, double, double);
long double _Complex model___ravelin_divide_long_double(long double, long double, long double, long double);

#define COMPLEX_CHECKS(T, NAME, SUFFIX, SMALL, LARGE) \
    static T draw_part_##NAME(void) { \
        static const T special[] = {0, -0.0, 1, -1, 2, 3, 0.5, INFINITY, -INFINITY, NAN, SMALL, LARGE, -LARGE}; \
        T x; \
        switch (draw() % 4) { \
        case 0: return special[draw() % (sizeof special / sizeof *special)]; \
        case 1: return (T)((int)(draw() % 200) - 100) / 8; \
        default: \
            x = (T)(long long)draw(); \
            for (int i = draw() % 2 ? 0 : draw() % 40; i; i--) x = draw() % 2 || i > 20 ? x * SMALL * LARGE : x / 3; \
            switch (draw() % 6) { \
            case 0: return x * SMALL; \
            case 1: return x * SMALL / (T)(1ll << 40); \
            case 2: return x * (LARGE / (T)(1ll << 62)); \
            default: return x; \
            } \
        } \
    } \
    static int same_part_##NAME(T x, T y) { return x != x ? y != y : x == y && !signbit(x) == !signbit(y); } \
    static void same_complex_##NAME(const char *what, T _Complex x, T _Complex y, T a, T b, T c, T d) { \
        char detail[200]; \
        snprintf(detail, sizeof detail, "%Lg %Lg %Lg %Lg: %Lg %Lg and not %Lg %Lg", (long double)a, (long double)b, \
                 (long double)c, (long double)d, (long double)__real__ x, (long double)__imag__ x, \
                 (long double)__real__ y, (long double)__imag__ y); \
        if (!same_part_##NAME(__real__ x, __real__ y) || !same_part_##NAME(__imag__ x, __imag__ y)) report(what, detail); \
    } \
    static void complex_##NAME(void) { \
        for (int i = 0; i < 200000; i++) { \
            T a = draw_part_##NAME(), b = draw_part_##NAME(), c = draw_part_##NAME(), d = draw_part_##NAME(); \
            volatile T _Complex x, y; \
            __real__ x = a; __imag__ x = b; __real__ y = c; __imag__ y = d; \
            if (!setjmp(unsupported)) \
                same_complex_##NAME("*" #T, model___ravelin_multiply_##NAME(a, b, c, d), x * y, a, b, c, d); \
            if (!setjmp(unsupported)) \
                same_complex_##NAME("/" #T, model___ravelin_divide_##NAME(a, b, c, d), x / y, a, b, c, d); \
            same_complex_##NAME("conj" #SUFFIX, model_conj##SUFFIX(x), conj##SUFFIX(x), a, b, 0, 0); \
            same_complex_##NAME("cproj" #SUFFIX, model_cproj##SUFFIX(x), cproj##SUFFIX(x), a, b, 0, 0); \
            if (!same_part_##NAME(model_creal##SUFFIX(x), a) || !same_part_##NAME(model_cimag##SUFFIX(x), b)) \
                report("parts", #T); \
        } \
    }

COMPLEX_CHECKS(float, float, f, FLT_MIN, FLT_MAX)
COMPLEX_CHECKS(double, double, , DBL_MIN, DBL_MAX)
COMPLEX_CHECKS(long double, long_double, l, LDBL_MIN, LDBL_MAX)

static void complex_numbers(void) {
    complex_float();
    complex_double();
    complex_long_double();
}
