// Formatted output to strings and formatted input from files (C11 7.21.6).

//: vsnprintf
// Without conversions of floats, pointers and wide characters.
void __ravelin_unsupported(const char *why);
struct __ravelin_output {
    char *text;
    unsigned long size;
    unsigned long length;
};
struct __ravelin_format {
    int left;       /* flag - */
    int zeros;      /* flag 0 */
    int alternate;  /* flag # */
    char plus;      /* what stands for a plus sign: flags + and space */
    long width;
    long precision; /* negative: none */
    int longs;      /* number of l; negative for h */
};
static void __ravelin_put(struct __ravelin_output *out, char c) {
    if (out->length + 1 < out->size) out->text[out->length] = c;
    out->length++;
}
static void __ravelin_repeat(struct __ravelin_output *out, char c, long count) {
    for (; count > 0; count--) __ravelin_put(out, c);
}
static void __ravelin_put_string(struct __ravelin_output *out, struct __ravelin_format *how,
                                 const char *s, long length) {
    long i;
    if (!how->left) __ravelin_repeat(out, ' ', how->width - length);
    for (i = 0; i < length; i++) __ravelin_put(out, s[i]);
    if (how->left) __ravelin_repeat(out, ' ', how->width - length);
}
static void __ravelin_put_integer(struct __ravelin_output *out, struct __ravelin_format *how,
                                  const char *prefix, unsigned long long value, unsigned base,
                                  char ten) {
    char digits[24]; /* the last one first */
    long prefixed = prefix[0] == 0 ? 0 : prefix[1] == 0 ? 1 : 2;
    long count = 0;
    long leading = how->precision;
    long padding;
    for (; value != 0; value /= base) {
        unsigned digit = value % base;
        digits[count] = digit < 10 ? '0' + digit : ten + digit - 10;
        count++;
    }
    if (leading < 0) {
        leading = how->zeros && !how->left ? how->width - prefixed : 1;
        if (leading < 1) leading = 1;
    }
    if (base == 8 && how->alternate && leading <= count) leading = count + 1;
    leading = leading > count ? leading - count : 0;
    padding = how->width - prefixed - leading - count;
    if (!how->left) __ravelin_repeat(out, ' ', padding);
    for (; *prefix != 0; prefix++) __ravelin_put(out, *prefix);
    __ravelin_repeat(out, '0', leading);
    for (; count > 0; count--) __ravelin_put(out, digits[count - 1]);
    if (how->left) __ravelin_repeat(out, ' ', padding);
}
int vsnprintf(char *text, unsigned long size, const char *format, __builtin_va_list args) {
    struct __ravelin_output out;
    struct __ravelin_format how;
    out.text = text;
    out.size = size;
    out.length = 0;
    for (; *format != 0; format++) {
        if (*format != '%') {
            __ravelin_put(&out, *format);
            continue;
        }
        how.left = 0;
        how.zeros = 0;
        how.alternate = 0;
        how.plus = 0;
        how.width = 0;
        how.precision = -1;
        how.longs = 0;
        for (format++;; format++) {
            if (*format == '-') how.left = 1;
            else if (*format == '0') how.zeros = 1;
            else if (*format == '#') how.alternate = 1;
            else if (*format == '+') how.plus = '+';
            else if (*format != ' ') break;
            else if (how.plus == 0) how.plus = ' ';
        }
        if (*format == '*') {
            how.width = __builtin_va_arg(args, int);
            format++;
            if (how.width < 0) {
                how.left = 1;
                how.width = -how.width;
            }
        }
        for (; *format >= '0' && *format <= '9'; format++) {
            how.width = how.width * 10 + (*format - '0');
        }
        if (*format == '.') {
            how.precision = 0;
            format++;
            if (*format == '*') {
                how.precision = __builtin_va_arg(args, int);
                format++;
            }
            for (; *format >= '0' && *format <= '9'; format++) {
                how.precision = how.precision * 10 + (*format - '0');
            }
        }
        for (;; format++) {
            if (*format == 'h') how.longs--;
            else if (*format == 'l') how.longs++;
            else if (*format == 'j') how.longs = 2;
            else if (*format == 'z' || *format == 't') how.longs = 1;
            else break;
        }
        if (*format == '%') {
            __ravelin_put(&out, '%');
        } else if (*format == 'c' && how.longs == 0) {
            char c = (char)__builtin_va_arg(args, int);
            __ravelin_put_string(&out, &how, &c, 1);
        } else if (*format == 's' && how.longs == 0) {
            const char *s = __builtin_va_arg(args, const char *);
            long length = 0;
            while ((how.precision < 0 || length < how.precision) && s[length] != 0) length++;
            __ravelin_put_string(&out, &how, s, length);
        } else if (*format == 'd' || *format == 'i') {
            long long number;
            if (how.longs > 1) number = __builtin_va_arg(args, long long);
            else if (how.longs == 1) number = __builtin_va_arg(args, long);
            else number = __builtin_va_arg(args, int);
            if (how.longs == -1) number = (short)number;
            if (how.longs < -1) number = (signed char)number;
            if (number < 0) {
                __ravelin_put_integer(&out, &how, "-", -(unsigned long long)number, 10, 'a');
            } else {
                const char *prefix = how.plus == '+' ? "+" : how.plus == ' ' ? " " : "";
                __ravelin_put_integer(&out, &how, prefix, number, 10, 'a');
            }
        } else if (*format == 'u' || *format == 'o' || *format == 'x' || *format == 'X') {
            unsigned long long number;
            if (how.longs > 1) number = __builtin_va_arg(args, unsigned long long);
            else if (how.longs == 1) number = __builtin_va_arg(args, unsigned long);
            else number = __builtin_va_arg(args, unsigned);
            if (how.longs == -1) number = (unsigned short)number;
            if (how.longs < -1) number = (unsigned char)number;
            if (*format == 'u') {
                __ravelin_put_integer(&out, &how, "", number, 10, 'a');
            } else if (*format == 'o') {
                __ravelin_put_integer(&out, &how, "", number, 8, 'a');
            } else if (*format == 'x') {
                const char *prefix = how.alternate && number != 0 ? "0x" : "";
                __ravelin_put_integer(&out, &how, prefix, number, 16, 'a');
            } else {
                const char *prefix = how.alternate && number != 0 ? "0X" : "";
                __ravelin_put_integer(&out, &how, prefix, number, 16, 'A');
            }
        } else {
            __ravelin_unsupported("a conversion of printf to a string");
            return -1;
        }
    }
    if (size > 0) text[out.length < size ? out.length : size - 1] = 0;
    return (int)out.length;
}

//: vsprintf
int vsnprintf(char *text, unsigned long size, const char *format, __builtin_va_list args);
int vsprintf(char *text, const char *format, __builtin_va_list args) {
    return vsnprintf(text, ~0ul, format, args);
}

//: snprintf
int vsnprintf(char *text, unsigned long size, const char *format, __builtin_va_list args);
int snprintf(char *text, unsigned long size, const char *format, ...) {
    __builtin_va_list args;
    int length;
    __builtin_va_start(args, format);
    length = vsnprintf(text, size, format, args);
    __builtin_va_end(args);
    return length;
}

//: sprintf
int vsnprintf(char *text, unsigned long size, const char *format, __builtin_va_list args);
int sprintf(char *text, const char *format, ...) {
    __builtin_va_list args;
    int length;
    __builtin_va_start(args, format);
    length = vsnprintf(text, ~0ul, format, args);
    __builtin_va_end(args);
    return length;
}

//: vsscanf
// Conversions of integers, characters and words. Where C leaves the result undefined, and where
// libraries disagree, on half a prefix 0x and on input that ends after all was skipped, there is no
// result.
void __ravelin_unsupported(const char *why);
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
        for (;; format++) {
            if (*format == 'h') longs--;
            else if (*format == 'l') longs++;
            else if (*format == 'j') longs = 2;
            else if (*format == 'z' || *format == 't') longs = 1;
            else break;
        }
        if (*format == 'n' && longs == 0) {
            *__builtin_va_arg(args, int *) = (int)(s - begin);
            continue;
        }
        if (*format != 'c') {
            while (__ravelin_is_space(*s)) s++;
        }
        if (*s == 0) return __ravelin_input_ended(assigned, skipped);
        if (*format == 'c' && longs == 0 && width <= 1) {
            if (store) *__builtin_va_arg(args, char *) = *s;
            s++;
        } else if (*format == 's' && longs == 0) {
            char *word = 0;
            long length = 0;
            if (store) word = __builtin_va_arg(args, char *);
            while (s[length] != 0 && !__ravelin_is_space(s[length])
                   && (width == 0 || length < width)) {
                if (store) word[length] = s[length];
                length++;
            }
            if (store) word[length] = 0;
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
// Input may be anything, so any number of conversions succeed and give any values.
int __ravelin_any_int(void);
long __ravelin_any_long(void);
long long __ravelin_any_llong(void);
float __ravelin_any_float(void);
double __ravelin_any_double(void);
void __ravelin_unsupported(const char *why);
int vscanf(const char *format, __builtin_va_list args) {
    int assigned = 0;
    for (; *format != 0; format++) {
        int store = 1;
        int longs = 0;
        long width = 0;
        long i;
        if (*format == ' ' || (*format >= '\t' && *format <= '\r')) continue;
        if (!__ravelin_any_int()) { /* the input ends or does not match */
            return assigned == 0 && __ravelin_any_int() ? -1 : assigned;
        }
        if (*format != '%') continue;
        format++;
        if (*format == '%') continue;
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
            if (!store) continue;
            if (longs > 1) *__builtin_va_arg(args, long long *) = __ravelin_any_llong();
            else if (longs == 1) *__builtin_va_arg(args, long *) = __ravelin_any_long();
            else if (longs == 0) *__builtin_va_arg(args, int *) = __ravelin_any_int();
            else if (longs == -1) *__builtin_va_arg(args, short *) = (short)__ravelin_any_int();
            else *__builtin_va_arg(args, char *) = (char)__ravelin_any_int();
        } else if (longs < 2 && (*format == 'f' || *format == 'e' || *format == 'g')) {
            if (!store) continue;
            if (longs == 1) *__builtin_va_arg(args, double *) = __ravelin_any_double();
            else *__builtin_va_arg(args, float *) = __ravelin_any_float();
        } else if (longs == 0 && *format == 'c') {
            char *chars;
            if (!store) continue;
            chars = __builtin_va_arg(args, char *);
            if (width == 0) width = 1;
            for (i = 0; i < width; i++) chars[i] = (char)__ravelin_any_int();
        } else if (longs == 0 && *format == 's' && width > 0) {
            char *chars;
            if (!store) continue;
            chars = __builtin_va_arg(args, char *);
            for (i = 0; i < width && (i == 0 || __ravelin_any_int()); i++) {
                char c = (char)__ravelin_any_int();
                chars[i] = c == ' ' || (c >= '\t' && c <= '\r') ? '_' : c;
            }
            chars[i] = 0;
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
