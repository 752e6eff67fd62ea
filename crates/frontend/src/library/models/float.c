// Floats from strings (C11 7.22.1.3), correctly rounded to nearest as IEEE 754 asks for.

//: __ravelin_read_float
// The float that `s` begins with. Returns 0 if there is none, 1 for value * 10^exponent, 2 for
// value * 2^exponent, 3 for infinity, 4 for a NaN. `more` says that the digits, of which the first
// are in `value`, go on with others than zeros: all of them are at `digits`, to be multiplied by the
// power `written`. Numbers are rounded to nearest, so other modes are not supported.
int fegetround(void);
void __ravelin_unsupported(const char *why);
static int __ravelin_begins(const char *s, const char *word) {
    unsigned long i;
    for (i = 0; word[i] != 0; i++) {
        if ((s[i] | 32) != word[i]) return 0;
    }
    return 1;
}
static unsigned __ravelin_float_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}
int __ravelin_read_float(const char *s, const char **end, int *negative, unsigned long long *value,
                         long *exponent, const char **digits, long *written, int *more) {
    unsigned base = 10;
    unsigned long long limit = 1000000000000000000ull;
    unsigned long long number = 0;
    int found = 0;
    int point = 0;
    int rest = 0;
    long scale = 0;
    long shift = 0;
    *negative = 0;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
    if (*s == '+' || *s == '-') {
        *negative = *s == '-';
        s++;
    }
    if (__ravelin_begins(s, "inf")) {
        *end = s + (__ravelin_begins(s, "infinity") ? 8 : 3);
        return 3;
    }
    if (__ravelin_begins(s, "nan")) {
        if (s[3] == '(' && s[4] != ')') __ravelin_unsupported("the payload of a NaN");
        *end = s + (s[3] == '(' ? 5 : 3);
        return 4;
    }
    if (*s == '0' && (s[1] == 'x' || s[1] == 'X')
        && __ravelin_float_digit(s[s[2] == '.' ? 3 : 2]) < 16) {
        s += 2;
        base = 16;
        limit = 1ull << 60;
    }
    *digits = s;
    for (;; s++) {
        unsigned digit = __ravelin_float_digit(*s);
        if (*s == '.' && !point) {
            point = 1;
        } else if (digit >= base) {
            break;
        } else if (number < limit) {
            found = 1;
            number = number * base + digit;
            if (point) scale--;
        } else {
            if (digit != 0) rest = 1;
            if (!point) scale++;
        }
    }
    if (!found) return 0;
    if (fegetround() != 0) __ravelin_unsupported("a float from a string, in another rounding mode");
    if (base == 16) scale *= 4;
    if (base == 16 ? *s == 'p' || *s == 'P' : *s == 'e' || *s == 'E') {
        int down = s[1] == '-';
        const char *power = s + (down || s[1] == '+' ? 2 : 1);
        if (*power >= '0' && *power <= '9') {
            for (; *power >= '0' && *power <= '9'; power++) {
                if (shift < 100000000) shift = shift * 10 + (*power - '0');
            }
            if (down) shift = -shift;
            s = power;
        }
    }
    *end = s;
    *value = number;
    *exponent = scale + shift;
    *written = shift;
    *more = rest;
    return base == 16 ? 2 : 1;
}

//: __ravelin_round_float
// A number as __ravelin_read_float gives it, not zero, rounded to `bits` bits: the result times
// 2^quantum, where `least` is the lowest quantum, and `most` the highest. Above it the result is 0.
// `status` becomes 1 if the number is tiny and not exact, or too large.
void __ravelin_unsupported(const char *why);
struct __ravelin_big {
    int size; /* the highest limb is not zero */
    unsigned limbs[640];
};
static void __ravelin_big_scale(struct __ravelin_big *n, unsigned factor, unsigned carry) {
    unsigned long long sum = carry;
    int i;
    for (i = 0; i < n->size; i++) {
        sum += (unsigned long long)n->limbs[i] * factor;
        n->limbs[i] = (unsigned)sum;
        sum >>= 32;
    }
    if (sum != 0) {
        n->limbs[n->size] = (unsigned)sum;
        n->size++;
    }
}
static void __ravelin_big_power(struct __ravelin_big *n, long tens) {
    for (; tens >= 9; tens -= 9) __ravelin_big_scale(n, 1000000000, 0);
    for (; tens > 0; tens--) __ravelin_big_scale(n, 10, 0);
}
static void __ravelin_big_shift(struct __ravelin_big *n, int count) {
    int whole = count / 32;
    int i;
    __ravelin_big_scale(n, 1u << count % 32, 0);
    if (whole == 0) return;
    for (i = n->size - 1; i >= 0; i--) n->limbs[i + whole] = n->limbs[i];
    for (i = 0; i < whole; i++) n->limbs[i] = 0;
    n->size += whole;
}
static int __ravelin_big_length(const struct __ravelin_big *n) {
    unsigned top = n->limbs[n->size - 1];
    int length = 32 * (n->size - 1);
    for (; top != 0; top >>= 1) length++;
    return length;
}
static int __ravelin_big_less(const struct __ravelin_big *a, const struct __ravelin_big *b) {
    int i;
    if (a->size != b->size) return a->size < b->size;
    for (i = a->size - 1; i >= 0; i--) {
        if (a->limbs[i] != b->limbs[i]) return a->limbs[i] < b->limbs[i];
    }
    return 0;
}
static void __ravelin_big_subtract(struct __ravelin_big *a, const struct __ravelin_big *b) {
    long long borrow = 0;
    int i;
    for (i = 0; i < a->size; i++) {
        borrow += (long long)a->limbs[i] - (i < b->size ? b->limbs[i] : 0);
        a->limbs[i] = (unsigned)borrow;
        borrow >>= 32;
    }
    while (a->size > 0 && a->limbs[a->size - 1] == 0) a->size--;
}
static unsigned __ravelin_big_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}
/* Reads digits of which there are too many for an integer, and gives the power of the last. 800
   suffice: what lies between two doubles has fewer, and of those that follow it only matters
   whether they are zero. */
static long __ravelin_big_read(struct __ravelin_big *n, const char *digits, unsigned base,
                               int bits) {
    int point = 0;
    int read = 0;
    int rest = 0;
    long power = 0;
    n->size = 0;
    for (;; digits++) {
        unsigned digit = __ravelin_big_digit(*digits);
        if (*digits == '.' && !point) {
            point = 1;
        } else if (digit >= base) {
            break;
        } else if (read < 800) {
            if (read > 0 || digit != 0) read++;
            __ravelin_big_scale(n, base, digit);
            if (point) power--;
        } else {
            if (digit != 0) rest = 1;
            if (!point) power++;
        }
    }
    if (rest) {
        if (base == 10 && bits > 53) __ravelin_unsupported("a long double of more than 800 digits");
        __ravelin_big_scale(n, base, 1);
        power--;
    }
    return power;
}
unsigned long long __ravelin_round_float(int kind, unsigned long long value, long exponent,
                                         const char *digits, long written, int more, int bits,
                                         int least, int most, int *quantum, int *status) {
    struct __ravelin_big n;
    struct __ravelin_big m;
    unsigned long long result = 0;
    long binary = 0;
    long wanted;
    int shift;
    *quantum = most + 1;
    *status = 1;
    n.size = value >> 32 == 0 ? 1 : 2;
    n.limbs[0] = (unsigned)value;
    n.limbs[1] = (unsigned)(value >> 32);
    m.size = 1;
    m.limbs[0] = 1;
    if (kind == 2) {
        if (more) exponent = written + 4 * __ravelin_big_read(&n, digits, 16, bits);
        binary = exponent;
    } else {
        /* Ranges that hold all numbers that are neither too large nor rounded to zero. */
        long highest = bits > 53 ? 4940 : 310;
        long lowest = bits > 53 ? -4990 : -345;
        unsigned long long left = value;
        long magnitude = exponent;
        for (; left != 0; left /= 10) magnitude++;
        if (magnitude > highest) return 0;
        if (magnitude < lowest) {
            *quantum = least;
            return 0;
        }
        if (more) exponent = written + __ravelin_big_read(&n, digits, 10, bits);
        if (exponent > 0) __ravelin_big_power(&n, exponent);
        else __ravelin_big_power(&m, -exponent);
    }
    /* Both have the same length from here on: the quotient, times 2^binary, is between 1/2 and 2. */
    shift = __ravelin_big_length(&n) - __ravelin_big_length(&m);
    binary += shift;
    if (shift > 0) __ravelin_big_shift(&m, shift);
    else __ravelin_big_shift(&n, -shift);
    wanted = __ravelin_big_less(&n, &m) ? bits : bits - 1;
    if (binary - wanted > most) return 0;
    if (binary - wanted < least) wanted = binary - least;
    *quantum = (int)(binary - wanted);
    if (wanted < -1) return 0;
    if (wanted < 0) __ravelin_big_shift(&m, 1);
    if (!__ravelin_big_less(&n, &m)) {
        __ravelin_big_subtract(&n, &m);
        result = 1;
    }
    for (; wanted > 0; wanted--) {
        result <<= 1;
        __ravelin_big_scale(&n, 2, 0);
        if (!__ravelin_big_less(&n, &m)) {
            __ravelin_big_subtract(&n, &m);
            result |= 1;
        }
    }
    *status = n.size != 0 && result < 1ull << (bits - 1);
    __ravelin_big_scale(&n, 2, 0);
    if (__ravelin_big_less(&n, &m)) return result;
    __ravelin_big_subtract(&n, &m);
    if (n.size == 0 && (result & 1) == 0) return result;
    if (result == (1ull << (bits - 1)) - 1) {
        /* The least number that is not tiny: was it tiny, with one bit more? */
        __ravelin_big_scale(&n, 2, 0);
        if (!__ravelin_big_less(&n, &m)) *status = 0;
    }
    if (result == ~0ull >> (64 - bits)) {
        result >>= 1;
        ++*quantum;
        if (*quantum > most) {
            *status = 1;
            return 0;
        }
    }
    return result + 1;
}

//: strtod
// Few digits and a small power are exact, so that one operation rounds.
int *__errno_location(void);
int __ravelin_read_float(const char *s, const char **end, int *negative, unsigned long long *value,
                         long *exponent, const char **digits, long *written, int *more);
unsigned long long __ravelin_round_float(int kind, unsigned long long value, long exponent,
                                         const char *digits, long written, int more, int bits,
                                         int least, int most, int *quantum, int *status);
union __ravelin_double_bits { unsigned long long bits; double value; };
double strtod(const char *s, char **end) {
    const char *after = s;
    const char *digits = s;
    unsigned long long value = 0;
    unsigned long long rounded;
    union __ravelin_double_bits result;
    long exponent = 0;
    long written = 0;
    int negative = 0;
    int more = 0;
    int quantum = 0;
    int status = 0;
    int kind;
    kind = __ravelin_read_float(s, &after, &negative, &value, &exponent, &digits, &written, &more);
    if (end != 0) *end = (char *)(kind == 0 ? s : after);
    if (kind == 0) return 0.0;
    if (kind > 2) {
        result.bits = kind == 3 ? 0x7ff0000000000000ull : 0x7ff8000000000000ull;
    } else if (value == 0 && !more) {
        result.bits = 0;
    } else if (kind == 1 && !more && value <= 1ull << 53 && exponent >= -22 && exponent <= 22) {
        double power = 1.0;
        for (; exponent > 0; exponent--) power *= 10.0;
        if (power > 1.0) {
            result.value = (double)value * power;
        } else {
            for (; exponent < 0; exponent++) power *= 10.0;
            result.value = (double)value / power;
        }
    } else {
        rounded = __ravelin_round_float(kind, value, exponent, digits, written, more, 53, -1074,
                                        971, &quantum, &status);
        if (status) *__errno_location() = 34; /* ERANGE */
        if (quantum > 971) {
            result.bits = 0x7ff0000000000000ull;
        } else if (rounded < 1ull << 52) {
            result.bits = rounded;
        } else {
            result.bits = rounded + ((unsigned long long)(quantum + 1074) << 52);
        }
    }
    if (negative) result.bits |= 1ull << 63;
    return result.value;
}

//: atof
double strtod(const char *s, char **end);
double atof(const char *s) {
    return strtod(s, 0);
}

//: strtof
int *__errno_location(void);
int __ravelin_read_float(const char *s, const char **end, int *negative, unsigned long long *value,
                         long *exponent, const char **digits, long *written, int *more);
unsigned long long __ravelin_round_float(int kind, unsigned long long value, long exponent,
                                         const char *digits, long written, int more, int bits,
                                         int least, int most, int *quantum, int *status);
union __ravelin_float_bits { unsigned bits; float value; };
float strtof(const char *s, char **end) {
    const char *after = s;
    const char *digits = s;
    unsigned long long value = 0;
    unsigned rounded;
    union __ravelin_float_bits result;
    long exponent = 0;
    long written = 0;
    int negative = 0;
    int more = 0;
    int quantum = 0;
    int status = 0;
    int kind;
    kind = __ravelin_read_float(s, &after, &negative, &value, &exponent, &digits, &written, &more);
    if (end != 0) *end = (char *)(kind == 0 ? s : after);
    if (kind == 0) return 0.0f;
    if (kind > 2) {
        result.bits = kind == 3 ? 0x7f800000u : 0x7fc00000u;
    } else if (value == 0 && !more) {
        result.bits = 0;
    } else if (kind == 1 && !more && value <= 1 << 24 && exponent >= -10 && exponent <= 10) {
        float power = 1.0f;
        for (; exponent > 0; exponent--) power *= 10.0f;
        if (power > 1.0f) {
            result.value = (float)value * power;
        } else {
            for (; exponent < 0; exponent++) power *= 10.0f;
            result.value = (float)value / power;
        }
    } else {
        rounded = (unsigned)__ravelin_round_float(kind, value, exponent, digits, written, more, 24,
                                                  -149, 104, &quantum, &status);
        if (status) *__errno_location() = 34; /* ERANGE */
        if (quantum > 104) {
            result.bits = 0x7f800000u;
        } else if (rounded < 1u << 23) {
            result.bits = rounded;
        } else {
            result.bits = rounded + ((unsigned)(quantum + 149) << 23);
        }
    }
    if (negative) result.bits |= 1u << 31;
    return result.value;
}

//: strtold
int *__errno_location(void);
int __ravelin_read_float(const char *s, const char **end, int *negative, unsigned long long *value,
                         long *exponent, const char **digits, long *written, int *more);
unsigned long long __ravelin_round_float(int kind, unsigned long long value, long exponent,
                                         const char *digits, long written, int more, int bits,
                                         int least, int most, int *quantum, int *status);
struct __ravelin_long_double_parts { unsigned long long mantissa; unsigned short exponent; };
union __ravelin_long_double_bits { struct __ravelin_long_double_parts parts; long double value; };
long double strtold(const char *s, char **end) {
    const char *after = s;
    const char *digits = s;
    unsigned long long value = 0;
    union __ravelin_long_double_bits result;
    long exponent = 0;
    long written = 0;
    int negative = 0;
    int more = 0;
    int quantum = 0;
    int status = 0;
    int kind;
    kind = __ravelin_read_float(s, &after, &negative, &value, &exponent, &digits, &written, &more);
    if (end != 0) *end = (char *)(kind == 0 ? s : after);
    if (kind == 0) return 0.0L;
    result.parts.mantissa = 0;
    result.parts.exponent = 0;
    if (kind > 2) {
        result.parts.mantissa = kind == 3 ? 1ull << 63 : 3ull << 62;
        result.parts.exponent = 0x7fff;
    } else if (value != 0 || more) {
        result.parts.mantissa = __ravelin_round_float(kind, value, exponent, digits, written, more,
                                                      64, -16445, 16320, &quantum, &status);
        if (status) *__errno_location() = 34; /* ERANGE */
        if (quantum > 16320) {
            result.parts.mantissa = 1ull << 63;
            result.parts.exponent = 0x7fff;
        } else if (result.parts.mantissa >> 63 != 0) {
            result.parts.exponent = quantum + 16446;
        }
    }
    if (negative) result.parts.exponent |= 0x8000;
    return result.value;
}
