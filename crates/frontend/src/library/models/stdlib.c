// <stdlib.h>.

//: abs
//= int -> long, abs -> labs
//= int -> long long, abs -> llabs
//= int -> long long, abs -> imaxabs
int abs(int x) {
    return x < 0 ? -x : x;
}

//: div
//= __ravelin_div -> __ravelin_ldiv, int -> long, div -> ldiv
//= __ravelin_div -> __ravelin_lldiv, int -> long long, div -> lldiv
//= __ravelin_div -> __ravelin_imaxdiv, int -> long long, div -> imaxdiv
struct __ravelin_div { int quot; int rem; };
struct __ravelin_div div(int a, int b) {
    struct __ravelin_div result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}

//: __ravelin_parse_integer
//= __ravelin_digit -> __ravelin_wide_digit, char -> int, __ravelin_parse_integer -> __ravelin_parse_wide
// The number that `s` begins with as sign and magnitude, read as C11 7.22.1.4 says. A magnitude
// above `most` (`least` after a minus sign) is cut to it and sets errno to ERANGE. Equal limits are
// those of an unsigned type: there the sign of a number that was cut is dropped.
int *__errno_location(void);
static int __ravelin_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 36;
}
unsigned long long __ravelin_parse_integer(const char *s, char **end, int base,
                                           unsigned long long most, unsigned long long least,
                                           int *negative) {
    const char *begin = s;
    unsigned long long value = 0;
    unsigned long long limit;
    int overflow = 0;
    int digits = 0;
    int digit;
    *negative = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = 22; /* EINVAL */
        return 0;
    }
    while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
    if (*s == '+' || *s == '-') {
        *negative = *s == '-';
        s++;
    }
    if ((base == 0 || base == 16) && *s == '0' && (s[1] == 'x' || s[1] == 'X')
        && __ravelin_digit(s[2]) < 16) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    limit = *negative ? least : most;
    digit = __ravelin_digit(*s);
    while (digit < base) {
        digits = 1;
        if (overflow || value > (limit - digit) / base) {
            overflow = 1;
        } else {
            value = value * base + digit;
        }
        s++;
        digit = __ravelin_digit(*s);
    }
    if (end != 0) *end = (char *)(digits ? s : begin);
    if (overflow) {
        *__errno_location() = 34; /* ERANGE */
        if (most == least) *negative = 0;
        return limit;
    }
    return value;
}

//: strtol
//= __ravelin_parse_integer -> __ravelin_parse_wide, char -> int, strtol -> wcstol
unsigned long long __ravelin_parse_integer(const char *s, char **end, int base,
                                           unsigned long long most, unsigned long long least,
                                           int *negative);
long strtol(const char *s, char **end, int base) {
    unsigned long most = ~0ul >> 1;
    int negative;
    unsigned long value = __ravelin_parse_integer(s, end, base, most, most + 1, &negative);
    return negative ? -value : value;
}

//: strtoll
unsigned long long __ravelin_parse_integer(const char *s, char **end, int base,
                                           unsigned long long most, unsigned long long least,
                                           int *negative);
long long strtoll(const char *s, char **end, int base) {
    unsigned long long most = ~0ull >> 1;
    int negative;
    unsigned long long value = __ravelin_parse_integer(s, end, base, most, most + 1, &negative);
    return negative ? -value : value;
}

//: strtoul
//= __ravelin_parse_integer -> __ravelin_parse_wide, char -> int, strtoul -> wcstoul
unsigned long long __ravelin_parse_integer(const char *s, char **end, int base,
                                           unsigned long long most, unsigned long long least,
                                           int *negative);
unsigned long strtoul(const char *s, char **end, int base) {
    unsigned long most = ~0ul;
    int negative;
    unsigned long value = __ravelin_parse_integer(s, end, base, most, most, &negative);
    return negative ? -value : value;
}

//: strtoull
unsigned long long __ravelin_parse_integer(const char *s, char **end, int base,
                                           unsigned long long most, unsigned long long least,
                                           int *negative);
unsigned long long strtoull(const char *s, char **end, int base) {
    unsigned long long most = ~0ull;
    int negative;
    unsigned long long value = __ravelin_parse_integer(s, end, base, most, most, &negative);
    return negative ? -value : value;
}

//: atoi
long strtol(const char *s, char **end, int base);
int atoi(const char *s) {
    return (int)strtol(s, 0, 10);
}

//: atol
long strtol(const char *s, char **end, int base);
long atol(const char *s) {
    return strtol(s, 0, 10);
}

//: atoll
long long strtoll(const char *s, char **end, int base);
long long atoll(const char *s) {
    return strtoll(s, 0, 10);
}

//: qsort
// Insertion sort; C leaves open which comparisons are made and how equal elements are ordered.
void qsort(void *base, unsigned long count, unsigned long size,
           int (*compare)(const void *, const void *)) {
    char *bytes = base;
    unsigned long i;
    unsigned long j;
    unsigned long k;
    for (i = 1; i < count; i++) {
        for (j = i; j > 0; j--) {
            char *right = bytes + j * size;
            char *left = right - size;
            if (compare(left, right) <= 0) break;
            for (k = 0; k < size; k++) {
                char byte = left[k];
                left[k] = right[k];
                right[k] = byte;
            }
        }
    }
}

//: qsort_r
// As qsort.
void qsort_r(void *base, unsigned long count, unsigned long size,
             int (*compare)(const void *, const void *, void *), void *closure) {
    char *bytes = base;
    unsigned long i;
    unsigned long j;
    unsigned long k;
    for (i = 1; i < count; i++) {
        for (j = i; j > 0; j--) {
            char *right = bytes + j * size;
            char *left = right - size;
            if (compare(left, right, closure) <= 0) break;
            for (k = 0; k < size; k++) {
                char byte = left[k];
                left[k] = right[k];
                right[k] = byte;
            }
        }
    }
}

//: bsearch
void *bsearch(const void *key, const void *base, unsigned long count, unsigned long size,
              int (*compare)(const void *, const void *)) {
    unsigned long low = 0;
    unsigned long high = count;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0) return (void *)element;
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return 0;
}

//: rand
// Any value from 0 to RAND_MAX, which is 2^31 - 1 in glibc.
int __ravelin_any_int(void);
int rand(void) {
    return __ravelin_any_int() & 0x7fffffff;
}

//: rand_r
int __ravelin_any_int(void);
int rand_r(unsigned *seed) {
    *seed = __ravelin_any_int();
    return __ravelin_any_int() & 0x7fffffff;
}

//: random
int __ravelin_any_int(void);
long random(void) {
    return __ravelin_any_int() & 0x7fffffff;
}

//: valloc
// Aligned to a page.
void *aligned_alloc(unsigned long alignment, unsigned long size);
void *valloc(unsigned long size) {
    return aligned_alloc(4096, size);
}

//: posix_memalign
void *aligned_alloc(unsigned long alignment, unsigned long size);
int posix_memalign(void **result, unsigned long alignment, unsigned long size) {
    void *block;
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return 22; /* EINVAL */
    block = aligned_alloc(alignment, size);
    if (block == 0) return 12; /* ENOMEM */
    *result = block;
    return 0;
}

//: reallocarray
void *realloc(void *block, unsigned long size);
void *reallocarray(void *block, unsigned long count, unsigned long size) {
    if (size != 0 && count > ~0ul / size) return 0;
    return realloc(block, count * size);
}

//: __errno_location
// What glibc's errno is a macro over.
static _Thread_local int __ravelin_errno;
int *__errno_location(void) {
    return &__ravelin_errno;
}

//: error error_at_line
// They print to standard error, and end the program if the status is not 0.
void exit(int status);
void error(int status, int errnum, const char *format, ...) {
    if (status != 0) exit(status);
}
void error_at_line(int status, int errnum, const char *file, unsigned line, const char *format, ...) {
    if (status != 0) exit(status);
}
