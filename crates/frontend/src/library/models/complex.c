// <complex.h>, and the products and quotients of complex numbers as libgcc computes them. The parser of these models does
// not know __real__ and __imag__: the parts are those of an array of two.

//: creal
//= double -> float, creal -> crealf
//= double -> long double, creal -> creall
double creal(double _Complex z) {
    return ((double *)&z)[0];
}

//: cimag
//= double -> float, cimag -> cimagf
//= double -> long double, cimag -> cimagl
double cimag(double _Complex z) {
    return ((double *)&z)[1];
}

//: conj
//= double -> float, conj -> conjf
//= double -> long double, conj -> conjl
double _Complex conj(double _Complex z) {
    ((double *)&z)[1] = -((double *)&z)[1];
    return z;
}

//: cproj
//= double -> float, copysign -> copysignf, cproj -> cprojf
//= double -> long double, copysign -> copysignl, cproj -> cprojl
double copysign(double x, double sign);
double _Complex cproj(double _Complex z) {
    double *part = (double *)&z;
    double re = part[0], im = part[1];
    if ((re == re && re - re != 0) || (im == im && im - im != 0)) {
        part[0] = 1 / (double)0;
        part[1] = copysign(0, im);
    }
    return z;
}

//: __ravelin_multiply_double
//= double -> float, copysign -> copysignf, __ravelin_multiply_double -> __ravelin_multiply_float
//= double -> long double, copysign -> copysignl, __ravelin_multiply_double -> __ravelin_multiply_long_double
// C11 G.5.1p6. Where both parts are NaN, an infinite operand makes an infinite product. The signs of NaNs do not matter:
// they would decide those of zeros, and infinity times zero is NaN in any case.
double copysign(double x, double sign);
void __ravelin_unsupported(const char *why);
double _Complex __ravelin_multiply_double(double a, double b, double c, double d) {
    double _Complex z;
    double *part = (double *)&z;
    double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    double infinity = 1 / (double)0;
    part[0] = ac - bd;
    part[1] = ad + bc;
    if (part[0] != part[0] && part[1] != part[1]) {
        int left = a == infinity || a == -infinity || b == infinity || b == -infinity;
        int right = c == infinity || c == -infinity || d == infinity || d == -infinity;
        int overflow = ac == infinity || ac == -infinity || bd == infinity || bd == -infinity || ad == infinity
            || ad == -infinity || bc == infinity || bc == -infinity;
        if (left) {
            a = copysign(a == infinity || a == -infinity, a);
            b = copysign(b == infinity || b == -infinity, b);
            if (c != c) c = 0;
            if (d != d) d = 0;
        }
        if (right) {
            c = copysign(c == infinity || c == -infinity, c);
            d = copysign(d == infinity || d == -infinity, d);
            if (a != a) a = 0;
            if (b != b) b = 0;
        }
        if (!left && !right && overflow) {
            // The function of 32-bit programs computes with more precision, so that nothing overflows there.
            if (sizeof(void *) == 4 && sizeof(double) < 12)
                __ravelin_unsupported("a product of complex numbers that overflows");
            if (a != a) a = 0;
            if (b != b) b = 0;
            if (c != c) c = 0;
            if (d != d) d = 0;
        }
        if (left || right || overflow) {
            part[0] = infinity * (a * c - b * d);
            part[1] = infinity * (a * d + b * c);
        }
    }
    return z;
}

//: __ravelin_recover_double
//= double -> float, copysign -> copysignf, __ravelin_recover_double -> __ravelin_recover_float
//= double -> long double, copysign -> copysignl, __ravelin_recover_double -> __ravelin_recover_long_double
// C11 G.5.1p8: a quotient of which both parts are NaN.
double copysign(double x, double sign);
void __ravelin_unsupported(const char *why);
void __ravelin_recover_double(double a, double b, double c, double d, double *part) {
    double infinity = 1 / (double)0;
    int left = a == infinity || a == -infinity || b == infinity || b == -infinity;
    int right = c == infinity || c == -infinity || d == infinity || d == -infinity;
    if (c == 0 && d == 0 && (a == a || b == b)) {
        part[0] = copysign(infinity, c) * a;
        part[1] = copysign(infinity, c) * b;
    } else if (left && c - c == 0 && d - d == 0) {
        a = copysign(a == infinity || a == -infinity, a);
        b = copysign(b == infinity || b == -infinity, b);
        part[0] = infinity * (a * c + b * d);
        part[1] = infinity * (b * c - a * d);
    } else if (right && a - a == 0 && b - b == 0) {
        // The sign of the NaN may decide that of a zero.
        if (c != c || d != d) __ravelin_unsupported("the sign of a NaN in a quotient of complex numbers");
        c = copysign(c == infinity || c == -infinity, c);
        d = copysign(d == infinity || d == -infinity, d);
        part[0] = 0 * (a * c + b * d);
        part[1] = 0 * (b * c - a * d);
    }
}

//: __ravelin_divide_float
// As libgcc does since version 12 where `double` is in hardware. The function of 32-bit programs rounds otherwise.
void __ravelin_unsupported(const char *why);
void __ravelin_recover_float(float a, float b, float c, float d, float *part);
float _Complex __ravelin_divide_float(float a, float b, float c, float d) {
    float _Complex z;
    float *part = (float *)&z;
    double divisor = (double)c * c + (double)d * d;
    part[0] = (float)(((double)a * c + (double)b * d) / divisor);
    part[1] = (float)(((double)b * c - (double)a * d) / divisor);
    if (sizeof(void *) == 4) __ravelin_unsupported("a quotient of complex numbers in 32-bit programs");
    if (part[0] != part[0] && part[1] != part[1]) __ravelin_recover_float(a, b, c, d, part);
    return z;
}

//: __ravelin_divide_double
//= double -> long double, fabs -> fabsl, __ravelin_recover_double -> __ravelin_recover_long_double, __ravelin_divide_double -> __ravelin_divide_long_double, 0x1p1023 -> 0x1p16383L, 0x1p970 -> 0x1p16319L, 0x1p1022 -> 0x1p16382L, 0x1p52 -> 0x1p63L
// As libgcc does since version 12: by the larger part of the divisor, all parts scaled where a number could overflow or
// become subnormal. The function of 32-bit programs rounds otherwise.
double fabs(double x);
void __ravelin_unsupported(const char *why);
void __ravelin_recover_double(double a, double b, double c, double d, double *part);
double _Complex __ravelin_divide_double(double a, double b, double c, double d) {
    double _Complex z;
    double *part = (double *)&z;
    double big = 0x1p1023 - 0x1p970, small = 1 / 0x1p1022, scale = 0x1p52, unscaled = big / scale;
    double p = a, q = b, s, l, ratio, divisor;
    int swapped = fabs(c) < fabs(d);
    if (sizeof(void *) == 4) __ravelin_unsupported("a quotient of complex numbers in 32-bit programs");
    s = swapped ? c : d;
    l = swapped ? d : c;
    if (fabs(l) >= big) {
        p = p / 2;
        q = q / 2;
        s = s / 2;
        l = l / 2;
    }
    if (fabs(l) < 1 / scale
        || (fabs(p) < small && fabs(q) < unscaled && fabs(l) < unscaled)
        || (fabs(q) < small && fabs(p) < unscaled && fabs(l) < unscaled)) {
        p = p * scale;
        q = q * scale;
        s = s * scale;
        l = l * scale;
    }
    ratio = s / l;
    divisor = s * ratio + l;
    if (swapped) {
        int normal = fabs(ratio) > small;
        part[0] = ((normal ? p * ratio : s * (p / l)) + q) / divisor;
        part[1] = ((normal ? q * ratio : s * (q / l)) - p) / divisor;
    } else {
        int normal = fabs(ratio) > small;
        part[0] = (p + (normal ? q * ratio : s * (q / l))) / divisor;
        part[1] = (q - (normal ? p * ratio : s * (p / l))) / divisor;
    }
    if (part[0] != part[0] && part[1] != part[1])
        __ravelin_recover_double(p, q, swapped ? s : l, swapped ? l : s, part);
    return z;
}
