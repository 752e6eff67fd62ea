// Formatted output to strings (C11 7.21.6).

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

//: vasprintf
// As long as the text; malloc never fails.
int vsnprintf(char *text, unsigned long size, const char *format, __builtin_va_list args);
void *malloc(unsigned long size);
int vasprintf(char **result, const char *format, __builtin_va_list args) {
    __builtin_va_list again;
    char *text;
    int length;
    __builtin_va_copy(again, args);
    length = vsnprintf(0, 0, format, again);
    __builtin_va_end(again);
    if (length < 0) return -1;
    text = malloc((unsigned long)length + 1);
    if (text == 0) return -1;
    vsnprintf(text, (unsigned long)length + 1, format, args);
    *result = text;
    return length;
}

//: asprintf
int vasprintf(char **result, const char *format, __builtin_va_list args);
int asprintf(char **result, const char *format, ...) {
    __builtin_va_list args;
    int length;
    __builtin_va_start(args, format);
    length = vasprintf(result, format, args);
    __builtin_va_end(args);
    return length;
}

//: __snprintf_chk
// As _FORTIFY_SOURCE calls it: a flag, and the size of the destination.
int vsnprintf(char *text, unsigned long size, const char *format, __builtin_va_list args);
int __snprintf_chk(char *text, unsigned long size, int flag, unsigned long room,
                   const char *format, ...) {
    __builtin_va_list args;
    int length;
    __builtin_va_start(args, format);
    length = vsnprintf(text, size, format, args);
    __builtin_va_end(args);
    return length;
}

//: __vsnprintf_chk
int vsnprintf(char *text, unsigned long size, const char *format, __builtin_va_list args);
int __vsnprintf_chk(char *text, unsigned long size, int flag, unsigned long room,
                    const char *format, __builtin_va_list args) {
    return vsnprintf(text, size, format, args);
}

//: __sprintf_chk
int vsnprintf(char *text, unsigned long size, const char *format, __builtin_va_list args);
int __sprintf_chk(char *text, int flag, unsigned long room, const char *format, ...) {
    __builtin_va_list args;
    int length;
    __builtin_va_start(args, format);
    length = vsnprintf(text, ~0ul, format, args);
    __builtin_va_end(args);
    return length;
}

//: __ravelin_print_text
// Parts of a text that snprintf makes of a literal format: each writes what there is room for from
// `at` on, and returns where the next begins. How long a number is, is known without a loop.
unsigned long __ravelin_print_text(char *text, unsigned long size, unsigned long at, const char *s,
                                   unsigned long length) {
    unsigned long i;
    for (i = 0; i < length; i++) {
        if (at + i + 1 < size) text[at + i] = s[i];
    }
    return at + length;
}

//: __ravelin_print_string
unsigned long __ravelin_print_string(char *text, unsigned long size, unsigned long at,
                                     const char *s) {
    unsigned long length = 0;
    while (s[length] != 0) {
        if (at + length + 1 < size) text[at + length] = s[length];
        length++;
    }
    return at + length;
}

//: __ravelin_print_char
unsigned long __ravelin_print_char(char *text, unsigned long size, unsigned long at, int c) {
    if (at + 1 < size) text[at] = (char)c;
    return at + 1;
}

//: __ravelin_print_unsigned
static unsigned long __ravelin_digits(unsigned value) {
    if (value < 10u) return 1;
    if (value < 100u) return 2;
    if (value < 1000u) return 3;
    if (value < 10000u) return 4;
    if (value < 100000u) return 5;
    if (value < 1000000u) return 6;
    if (value < 10000000u) return 7;
    if (value < 100000000u) return 8;
    if (value < 1000000000u) return 9;
    return 10;
}
unsigned long __ravelin_print_unsigned(char *text, unsigned long size, unsigned long at,
                                       unsigned value) {
    unsigned long end = at + __ravelin_digits(value);
    unsigned long i;
    for (i = end; i > at; i--) {
        if (i < size) text[i - 1] = (char)('0' + value % 10);
        value /= 10;
    }
    return end;
}

//: __ravelin_print_int
unsigned long __ravelin_print_unsigned(char *text, unsigned long size, unsigned long at,
                                       unsigned value);
unsigned long __ravelin_print_int(char *text, unsigned long size, unsigned long at, int value) {
    if (value >= 0) return __ravelin_print_unsigned(text, size, at, value);
    if (at + 1 < size) text[at] = '-';
    return __ravelin_print_unsigned(text, size, at + 1, -(unsigned)value);
}

//: __ravelin_print_ullong
static unsigned long __ravelin_long_digits(unsigned long long value) {
    if (value < 10ull) return 1;
    if (value < 100ull) return 2;
    if (value < 1000ull) return 3;
    if (value < 10000ull) return 4;
    if (value < 100000ull) return 5;
    if (value < 1000000ull) return 6;
    if (value < 10000000ull) return 7;
    if (value < 100000000ull) return 8;
    if (value < 1000000000ull) return 9;
    if (value < 10000000000ull) return 10;
    if (value < 100000000000ull) return 11;
    if (value < 1000000000000ull) return 12;
    if (value < 10000000000000ull) return 13;
    if (value < 100000000000000ull) return 14;
    if (value < 1000000000000000ull) return 15;
    if (value < 10000000000000000ull) return 16;
    if (value < 100000000000000000ull) return 17;
    if (value < 1000000000000000000ull) return 18;
    if (value < 10000000000000000000ull) return 19;
    return 20;
}
unsigned long __ravelin_print_ullong(char *text, unsigned long size, unsigned long at,
                                     unsigned long long value) {
    unsigned long end = at + __ravelin_long_digits(value);
    unsigned long i;
    for (i = end; i > at; i--) {
        if (i < size) text[i - 1] = (char)('0' + value % 10);
        value /= 10;
    }
    return end;
}

//: __ravelin_print_llong
unsigned long __ravelin_print_ullong(char *text, unsigned long size, unsigned long at,
                                     unsigned long long value);
unsigned long __ravelin_print_llong(char *text, unsigned long size, unsigned long at,
                                    long long value) {
    if (value >= 0) return __ravelin_print_ullong(text, size, at, value);
    if (at + 1 < size) text[at] = '-';
    return __ravelin_print_ullong(text, size, at + 1, -(unsigned long long)value);
}

//: __ravelin_print_hex
unsigned long __ravelin_print_hex(char *text, unsigned long size, unsigned long at,
                                  unsigned long long value, int ten) {
    unsigned long end = at + 1;
    unsigned long long rest;
    unsigned long i;
    for (rest = value >> 4; rest != 0; rest >>= 4) end++;
    for (i = end; i > at; i--) {
        int digit = (int)(value & 15);
        if (i < size) text[i - 1] = (char)(digit < 10 ? '0' + digit : ten + digit - 10);
        value >>= 4;
    }
    return end;
}

//: __ravelin_print_end
int __ravelin_print_end(char *text, unsigned long size, unsigned long at) {
    if (size > 0) text[at < size ? at : size - 1] = 0;
    return (int)at;
}
