// Formatted input (C11 7.21.6.2).

//: __ravelin_set_has
// Whether a set in a format, between brackets, has a character. It ends at `end`.
int __ravelin_set_has(const char *set, const char *end, char c) {
    int inverted = *set == '^';
    if (inverted) set++;
    for (; set != end; set++) {
        if (set[1] == '-' && set + 2 != end && set + 1 != end) {
            if (c >= *set && c <= set[2]) return !inverted;
            set += 2;
        } else if (*set == c) {
            return !inverted;
        }
    }
    return inverted;
}

//: vsscanf
// Where C leaves the result undefined, and where glibc and C disagree, on half a number, fewer
// characters than asked for and input that ends after all was skipped, there is no result.
int __ravelin_set_has(const char *set, const char *end, char c);
void __ravelin_unsupported(const char *why);
double strtod(const char *s, char **end);
float strtof(const char *s, char **end);
long double strtold(const char *s, char **end);
void *malloc(unsigned long size);
static int __ravelin_is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
static unsigned __ravelin_digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}
/* Reads an integer of at most `width` characters; returns what follows it, or null if there is
   none. */
static const char *__ravelin_scan_integer(const char *s, long width, unsigned base, int *negative,
                                          unsigned long long *value) {
    int digits = 0;
    *negative = 0;
    *value = 0;
    if (width > 0 && (*s == '-' || *s == '+')) {
        *negative = *s == '-';
        s++;
        width--;
    }
    if (width > 0 && *s == '0' && (base == 0 || base == 16)) {
        digits = 1;
        s++;
        width--;
        if (width > 0 && (*s == 'x' || *s == 'X')) {
            if (width == 1 || __ravelin_digit_value(s[1]) == 16) {
                __ravelin_unsupported("sscanf of half a hexadecimal number");
            }
            base = 16;
            s++;
            width--;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0) base = 10;
    for (; width > 0 && __ravelin_digit_value(*s) < base; width--) {
        if (*value > (~0ull - 15) / base) __ravelin_unsupported("sscanf of a number out of range");
        *value = *value * base + __ravelin_digit_value(*s);
        digits = 1;
        s++;
    }
    return digits ? s : 0;
}
/* The end of a float of at most `width` characters, of which there is a copy, or null if there is
   none. */
static const char *__ravelin_scan_float(const char *s, const char *copy, const char *end) {
    char next = *end;
    if (end == copy) return 0;
    if ((next | 32) == 'e' || (next | 32) == 'p' || (next | 32) == 'x' || (next | 32) == 'i'
        || next == '(') {
        __ravelin_unsupported("sscanf of half a float");
    }
    return s + (end - copy);
}
/* C11 7.21.6.4p3 asks for EOF before the first conversion, glibc gives it before the first
   assignment. */
static int __ravelin_input_ended(int assigned, int skipped) {
    if (assigned != 0) return assigned;
    if (skipped) __ravelin_unsupported("sscanf of nothing after what is skipped");
    return -1;
}
int vsscanf(const char *s, const char *format, __builtin_va_list args) {
    const char *begin = s;
    int assigned = 0;
    int skipped = 0;
    for (; *format != 0; format++) {
        int store = 1;
        int longs = 0;
        int allocate = 0;
        long width = 0;
        if (__ravelin_is_space(*format)) {
            while (__ravelin_is_space(*s)) s++;
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                format++;
                while (__ravelin_is_space(*s)) s++;
            }
            if (*s == 0) return __ravelin_input_ended(assigned, skipped);
            if (*s != *format) return assigned;
            s++;
            continue;
        }
        format++;
        if (*format == '*') {
            store = 0;
            format++;
        }
        for (; *format >= '0' && *format <= '9'; format++) width = width * 10 + (*format - '0');
        if (*format == 'm') {
            allocate = 1;
            format++;
        }
        for (;; format++) {
            if (*format == 'h') longs--;
            else if (*format == 'l') longs++;
            else if (*format == 'j' || *format == 'L' || *format == 'q') longs = 2;
            else if (*format == 'z' || *format == 't') longs = 1;
            else break;
        }
        if (*format == 'n') {
            long long read = s - begin;
            if (!store) continue;
            if (longs > 1) *__builtin_va_arg(args, long long *) = read;
            else if (longs == 1) *__builtin_va_arg(args, long *) = (long)read;
            else if (longs == 0) *__builtin_va_arg(args, int *) = (int)read;
            else if (longs == -1) *__builtin_va_arg(args, short *) = (short)read;
            else *__builtin_va_arg(args, char *) = (char)read;
            continue;
        }
        if (*format != 'c' && *format != '[') {
            while (__ravelin_is_space(*s)) s++;
        }
        if (*s == 0) return __ravelin_input_ended(assigned, skipped);
        if ((*format == 'c' || *format == 's' || *format == '[') && longs == 0) {
            const char *set = format + 1;
            char kind = *format;
            char *text = 0;
            long length = 0;
            long i;
            if (kind == '[') {
                format++;
                if (*format == '^') format++;
                /* A bracket that comes first is one of the characters. */
                if (*format == ']') format++;
                while (*format != ']' && *format != 0) format++;
                if (*format == 0) __ravelin_unsupported("sscanf of a set without an end");
            }
            if (kind == 'c' && width == 0) width = 1;
            while (s[length] != 0 && (width == 0 || length < width)
                   && (kind == 's' ? !__ravelin_is_space(s[length])
                       : kind == 'c' || __ravelin_set_has(set, format, s[length]))) length++;
            if (kind == 'c' && length < width) {
                __ravelin_unsupported("sscanf of fewer characters than asked for");
            }
            if (length == 0) return assigned;
            if (store && allocate) {
                text = malloc((unsigned long)length + 1);
                *__builtin_va_arg(args, char **) = text;
            } else if (store) {
                text = __builtin_va_arg(args, char *);
            }
            if (store) {
                for (i = 0; i < length; i++) text[i] = s[i];
                if (kind != 'c') text[length] = 0;
            }
            s += length;
        } else if (*format == 'd' || *format == 'i' || *format == 'u' || *format == 'o'
                   || *format == 'x' || *format == 'X') {
            int is_signed = *format == 'd' || *format == 'i';
            unsigned base = *format == 'i' ? 0 : *format == 'o' ? 8
                : *format == 'd' || *format == 'u' ? 10 : 16;
            int size = longs > 1 ? sizeof(long long) : longs == 1 ? sizeof(long)
                : longs == 0 ? sizeof(int) : longs == -1 ? sizeof(short) : 1;
            unsigned long long most = ~0ull >> (64 - 8 * size + is_signed);
            unsigned long long value;
            int negative;
            s = __ravelin_scan_integer(s, width == 0 ? 2147483647 : width, base, &negative, &value);
            if (s == 0) return assigned;
            if (value > most + (is_signed && negative)) {
                __ravelin_unsupported("sscanf of a number out of range");
            }
            if (negative) value = -value;
            if (!store) {
                /* skipped */
            } else if (longs > 1) *__builtin_va_arg(args, long long *) = value;
            else if (longs == 1) *__builtin_va_arg(args, long *) = value;
            else if (longs == 0) *__builtin_va_arg(args, int *) = value;
            else if (longs == -1) *__builtin_va_arg(args, short *) = value;
            else *__builtin_va_arg(args, char *) = value;
        } else if (*format == 'a' || ((*format | 32) >= 'e' && (*format | 32) <= 'g')) {
            char copy[64];
            const char *text = s;
            char *end;
            if (width > 0) {
                long length = 0;
                if (width > 63) __ravelin_unsupported("sscanf of a float in a wide field");
                for (; length < width && s[length] != 0; length++) copy[length] = s[length];
                copy[length] = 0;
                text = copy;
            }
            if (longs == 0) {
                float value = strtof(text, &end);
                s = __ravelin_scan_float(s, text, end);
                if (s == 0) return assigned;
                if (store) *__builtin_va_arg(args, float *) = value;
            } else if (longs == 1) {
                double value = strtod(text, &end);
                s = __ravelin_scan_float(s, text, end);
                if (s == 0) return assigned;
                if (store) *__builtin_va_arg(args, double *) = value;
            } else {
                long double value = strtold(text, &end);
                s = __ravelin_scan_float(s, text, end);
                if (s == 0) return assigned;
                if (store) *__builtin_va_arg(args, long double *) = value;
            }
        } else {
            __ravelin_unsupported("a conversion of sscanf");
            return -1;
        }
        if (store) assigned++;
        else skipped = 1;
    }
    return assigned;
}

//: sscanf
int vsscanf(const char *s, const char *format, __builtin_va_list args);
int sscanf(const char *s, const char *format, ...) {
    __builtin_va_list args;
    int assigned;
    __builtin_va_start(args, format);
    assigned = vsscanf(s, format, args);
    __builtin_va_end(args);
    return assigned;
}

//: vscanf
// Input may be anything, so any number of conversions succeed and give any values that the field
// can hold. What follows a field in the input is no part of it: after `%d` comes no digit.
int *__errno_location(void);
int __ravelin_any_int(void);
long __ravelin_any_long(void);
long long __ravelin_any_llong(void);
float __ravelin_any_float(void);
double __ravelin_any_double(void);
int __ravelin_set_has(const char *set, const char *end, char c);
void __ravelin_unsupported(const char *why);
static int __ravelin_input_is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
/* Whether a character may come next in the input, by what was read before: after 's' no space,
   after 'w' only a space, after 'd' no digit, after '[' none of the set. */
static int __ravelin_may_follow(char before, const char *set, const char *end, char c) {
    switch (before) {
    case 's': return !__ravelin_input_is_space(c);
    case 'w': return __ravelin_input_is_space(c);
    case 'd': return c < '0' || c > '9';
    case '[': return !__ravelin_set_has(set, end, c);
    default: return 1;
    }
}
/* The end of the input, or an error, or what does not match. */
static int __ravelin_input_stops(int assigned) {
    if (assigned != 0 || !__ravelin_any_int()) return assigned;
    if (__ravelin_any_int()) {
        int error = __ravelin_any_int();
        *__errno_location() = error > 0 && error < 134 ? error : 5; /* EIO */
    }
    return -1;
}
/* Any number that so many characters can write. */
static long long __ravelin_field(long width, unsigned base) {
    long long value = __ravelin_any_llong();
    long long most = 1;
    long i;
    if (width > 15) return value;
    for (i = 1; i < width; i++) most *= base;
    return value > -most && value < most * base ? value : 0;
}
int vscanf(const char *format, __builtin_va_list args) {
    const char *set = 0;
    const char *set_end = 0;
    char before = 0;
    int assigned = 0;
    for (; *format != 0; format++) {
        int store = 1;
        int longs = 0;
        long width = 0;
        long i = 0;
        if (__ravelin_input_is_space(*format)) {
            before = 's';
            continue;
        }
        if (*format == '%' && format[1] == 'n') {
            /* How much was read is open, but for what must have been. */
            __ravelin_unsupported("%n of scanf");
        }
        if (!__ravelin_any_int()) return __ravelin_input_stops(assigned);
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                format++;
            } else if (!__ravelin_may_follow(before, set, set_end, *format)) {
                return __ravelin_input_stops(assigned);
            }
            before = 0;
            continue;
        }
        format++;
        if (*format == '*') {
            store = 0;
            format++;
        }
        for (; *format >= '0' && *format <= '9'; format++) width = width * 10 + (*format - '0');
        for (;; format++) {
            if (*format == 'h') longs--;
            else if (*format == 'l') longs++;
            else if (*format == 'j') longs = 2;
            else if (*format == 'z' || *format == 't') longs = 1;
            else break;
        }
        if (*format == 'd' || *format == 'i' || *format == 'u' || *format == 'o' || *format == 'x'
            || *format == 'X') {
            before = width == 0 && (*format == 'd' || *format == 'u') ? 'd' : 0;
            if (!store) continue;
            if (width > 0) {
                long long value = *format == 'o' ? __ravelin_field(width, 8)
                    : *format == 'd' || *format == 'u' || (*format == 'i' && width < 12)
                    ? __ravelin_field(width, 10) : __ravelin_field(width, 16);
                if (longs > 1) *__builtin_va_arg(args, long long *) = value;
                else if (longs == 1) *__builtin_va_arg(args, long *) = (long)value;
                else if (longs == 0) *__builtin_va_arg(args, int *) = (int)value;
                else if (longs == -1) *__builtin_va_arg(args, short *) = (short)value;
                else *__builtin_va_arg(args, char *) = (char)value;
            } else if (longs > 1) *__builtin_va_arg(args, long long *) = __ravelin_any_llong();
            else if (longs == 1) *__builtin_va_arg(args, long *) = __ravelin_any_long();
            else if (longs == 0) *__builtin_va_arg(args, int *) = __ravelin_any_int();
            else if (longs == -1) *__builtin_va_arg(args, short *) = (short)__ravelin_any_int();
            else *__builtin_va_arg(args, char *) = (char)__ravelin_any_int();
        } else if (longs >= 0 && longs < 2 && (*format == 'f' || *format == 'e' || *format == 'g')) {
            if (width > 0) __ravelin_unsupported("a width of a float of scanf");
            before = 'd';
            if (!store) continue;
            if (longs == 1) *__builtin_va_arg(args, double *) = __ravelin_any_double();
            else *__builtin_va_arg(args, float *) = __ravelin_any_float();
        } else if (longs == 0 && (*format == 'c' || *format == 's' || *format == '[')) {
            char kind = *format;
            char *chars = 0;
            const char *allowed = format + 1;
            if (kind == '[') {
                format++;
                if (*format == '^') format++;
                if (*format == ']') format++;
                while (*format != ']' && *format != 0) format++;
                if (*format == 0) __ravelin_unsupported("scanf of a set without an end");
            }
            if (kind == 'c' && width == 0) width = 1;
            if (kind == 's') before = 0; /* spaces are skipped */
            if (store) chars = __builtin_va_arg(args, char *);
            while (width == 0 || i < width) {
                char c = (char)__ravelin_any_int();
                if (i == 0 && !__ravelin_may_follow(before, set, set_end, c)) break;
                if (kind == 's' && __ravelin_input_is_space(c)) break;
                if (kind == '[' && !__ravelin_set_has(allowed, format, c)) break;
                if (i > 0 && !__ravelin_any_int()) break; /* the input ends */
                if (store) chars[i] = c;
                i++;
            }
            if (i == 0) return __ravelin_input_stops(assigned);
            if (kind == 'c' && i < width) { /* glibc counts these, C does not */
                return __ravelin_any_int() ? assigned + store : __ravelin_input_stops(assigned);
            }
            before = kind == 'c' || i == width ? 0 : kind == 's' ? 'w' : '[';
            set = allowed;
            set_end = format;
            if (!store) continue;
            if (kind != 'c') chars[i] = 0;
        } else {
            __ravelin_unsupported("a conversion of scanf");
            return -1;
        }
        assigned++;
    }
    return assigned;
}

//: vfscanf
int vscanf(const char *format, __builtin_va_list args);
int vfscanf(void *file, const char *format, __builtin_va_list args) {
    return vscanf(format, args);
}

//: scanf
int vscanf(const char *format, __builtin_va_list args);
int scanf(const char *format, ...) {
    __builtin_va_list args;
    int assigned;
    __builtin_va_start(args, format);
    assigned = vscanf(format, args);
    __builtin_va_end(args);
    return assigned;
}

//: fscanf
int vscanf(const char *format, __builtin_va_list args);
int fscanf(void *file, const char *format, ...) {
    __builtin_va_list args;
    int assigned;
    __builtin_va_start(args, format);
    assigned = vscanf(format, args);
    __builtin_va_end(args);
    return assigned;
}
