// More of <string.h>, <stdlib.h>, <libgen.h> and <unistd.h>: functions that come from POSIX and GNU.

//: strcasestr
static int __ravelin_text_fold(char c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}
char *strcasestr(const char *text, const char *pattern) {
    while (1) {
        unsigned long i = 0;
        while (pattern[i] != 0 && __ravelin_text_fold(text[i]) == __ravelin_text_fold(pattern[i])) {
            i++;
        }
        if (pattern[i] == 0) return (char *)text;
        if (*text == 0) return 0;
        text++;
    }
}

//: strverscmp
// Numbers in names compare as numbers, and those that begin with zeros as fractions.
static int __ravelin_text_is_digit(char c) {
    return c >= '0' && c <= '9';
}
int strverscmp(const char *a, const char *b) {
    unsigned long i = 0;
    unsigned long start = 0; /* of the number that both are in */
    int zeros = 1;           /* whether it has only zeros so far */
    while (a[i] == b[i]) {
        if (a[i] == 0) return 0;
        if (!__ravelin_text_is_digit(a[i])) {
            start = i + 1;
            zeros = 1;
        } else if (a[i] != '0') {
            zeros = 0;
        }
        i++;
    }
    if (a[start] >= '1' && a[start] <= '9' && b[start] >= '1' && b[start] <= '9') {
        unsigned long end = i;
        while (__ravelin_text_is_digit(a[end]) && __ravelin_text_is_digit(b[end])) end++;
        if (__ravelin_text_is_digit(a[end])) return 1;
        if (__ravelin_text_is_digit(b[end])) return -1;
    } else if (zeros && start < i) {
        if (__ravelin_text_is_digit(a[i]) && !__ravelin_text_is_digit(b[i])) return -1;
        if (__ravelin_text_is_digit(b[i]) && !__ravelin_text_is_digit(a[i])) return 1;
    }
    return (unsigned char)a[i] - (unsigned char)b[i];
}

//: strxfrm
//= strxfrm -> wcsxfrm, char -> int
unsigned long strxfrm(char *dst, const char *src, unsigned long n) {
    unsigned long length = 0;
    while (src[length] != 0) {
        if (length < n) dst[length] = src[length];
        length++;
    }
    if (length < n) dst[length] = 0;
    return length;
}

//: strerror_r
// GNU's: the text is in the buffer, cut to it, or elsewhere.
int __ravelin_any_int(void);
static char __ravelin_error_text[64];
char *strerror_r(int number, char *buffer, unsigned long size) {
    unsigned long i;
    if (__ravelin_any_int() || size == 0) {
        for (i = 0; i < 63; i++) __ravelin_error_text[i] = (char)__ravelin_any_int();
        __ravelin_error_text[63] = 0;
        return __ravelin_error_text;
    }
    for (i = 0; i + 1 < size && i < 63; i++) buffer[i] = (char)__ravelin_any_int();
    buffer[i] = 0;
    return buffer;
}

//: __xpg_strerror_r
// That of POSIX: 0, or EINVAL for numbers that are none, or ERANGE where the text is too long.
int __ravelin_any_int(void);
int __xpg_strerror_r(int number, char *buffer, unsigned long size) {
    unsigned long i;
    int result = __ravelin_any_int();
    if (size == 0) return result == 22 ? 22 : 34;
    for (i = 0; i + 1 < size && i < 63; i++) buffer[i] = (char)__ravelin_any_int();
    buffer[i] = 0;
    if (result == 22 || result == 34) return result;
    return 0;
}

//: basename
// GNU's, of <string.h>.
char *basename(const char *path) {
    const char *last = path;
    for (; *path != 0; path++) {
        if (*path == '/') last = path + 1;
    }
    return (char *)last;
}

//: __xpg_basename
// That of <libgen.h>: slashes at the end are cut off.
char *__xpg_basename(char *path) {
    unsigned long end = 0;
    unsigned long start;
    if (path == 0 || *path == 0) return ".";
    while (path[end] != 0) end++;
    while (end > 1 && path[end - 1] == '/') end--;
    if (end == 1 && *path == '/') {
        while (path[end] != 0) end++;
        return path + end - 1;
    }
    path[end] = 0;
    start = end;
    while (start > 0 && path[start - 1] != '/') start--;
    return path + start;
}

//: dirname
char *dirname(char *path) {
    unsigned long end = 0;
    if (path == 0) return ".";
    while (path[end] != 0) end++;
    while (end > 0 && path[end - 1] == '/') end--;
    while (end > 0 && path[end - 1] != '/') end--;
    if (end == 0 && *path != '/') return ".";
    while (end > 1 && path[end - 1] == '/') end--;
    /* POSIX lets two slashes at the start mean something of their own. */
    if (end <= 1 && *path == '/' && path[1] == '/' && path[2] != '/') end = 2;
    if (end == 0) end = 1;
    path[end] = 0;
    return path;
}

//: swab
void swab(const void *from, void *to, long count) {
    const char *source = from;
    char *target = to;
    for (; count > 1; count -= 2) {
        char first = source[0];
        target[0] = source[1];
        target[1] = first;
        source += 2;
        target += 2;
    }
}

//: strtoimax
long long strtoll(const char *s, char **end, int base);
long long strtoimax(const char *s, char **end, int base) {
    return strtoll(s, end, base);
}

//: strtoumax
unsigned long long strtoull(const char *s, char **end, int base);
unsigned long long strtoumax(const char *s, char **end, int base) {
    return strtoull(s, end, base);
}

//: a64l
void __ravelin_unsupported(const char *why);
long a64l(const char *s) {
    unsigned long result = 0;
    int i;
    for (i = 0; i < 6; i++) {
        char c = s[i];
        unsigned long digit;
        if (c >= '.' && c <= '9') digit = c - '.';
        else if (c >= 'A' && c <= 'Z') digit = c - 'A' + 12;
        else if (c >= 'a' && c <= 'z') digit = c - 'a' + 38;
        else break;
        result |= digit << 6 * i;
    }
    /* POSIX asks for the sign, which glibc does not extend. */
    result &= 0xffffffffu;
    if (sizeof(long) > 4 && result >> 31 != 0) __ravelin_unsupported("a64l of a negative number");
    return (long)result;
}

//: l64a
static char __ravelin_radix_text[7];
char *l64a(long number) {
    unsigned rest = (unsigned)number;
    int i = 0;
    for (; rest != 0; rest >>= 6) {
        unsigned digit = rest & 63;
        char c = (char)(digit < 12 ? '.' + digit : digit < 38 ? 'A' + digit - 12 : 'a' + digit - 38);
        __ravelin_radix_text[i++] = c;
    }
    __ravelin_radix_text[i] = 0;
    return __ravelin_radix_text;
}

//: getsubopt
int getsubopt(char **options, char *const *tokens, char **value) {
    char *option = *options;
    unsigned long length = 0; /* of the name */
    unsigned long end;
    int i;
    if (*option == 0) return -1;
    while (option[length] != 0 && option[length] != ',' && option[length] != '=') length++;
    end = length;
    while (option[end] != 0 && option[end] != ',') end++;
    *options = option + end + (option[end] != 0);
    *value = option;
    for (i = 0; tokens[i] != 0; i++) {
        unsigned long j = 0;
        while (j < length && tokens[i][j] == option[j]) j++;
        if (j == length && tokens[i][j] == 0) {
            *value = option[length] == '=' ? option + length + 1 : 0;
            option[end] = 0;
            return i;
        }
    }
    option[end] = 0;
    return -1;
}

//: drand48 erand48 lrand48 nrand48 mrand48 jrand48 srand48 seed48 lcong48
// Numbers of 48 bits: x becomes a x + c (POSIX). The state at the start is glibc's.
static unsigned long long __ravelin_x48;
static unsigned long long __ravelin_a48 = 0x5deece66dull;
static unsigned __ravelin_c48 = 11;
static unsigned short __ravelin_seed48[3];
static unsigned long long __ravelin_join48(const unsigned short *parts) {
    return (unsigned long long)parts[2] << 32 | (unsigned)parts[1] << 16 | parts[0];
}
static void __ravelin_split48(unsigned long long x, unsigned short *parts) {
    parts[0] = (unsigned short)x;
    parts[1] = (unsigned short)(x >> 16);
    parts[2] = (unsigned short)(x >> 32);
}
static unsigned long long __ravelin_next48(unsigned short *parts) {
    unsigned long long x = parts == 0 ? __ravelin_x48 : __ravelin_join48(parts);
    x = (x * __ravelin_a48 + __ravelin_c48) & 0xffffffffffffull;
    if (parts == 0) __ravelin_x48 = x;
    else __ravelin_split48(x, parts);
    return x;
}
double drand48(void) {
    return (double)__ravelin_next48(0) / 281474976710656.0;
}
double erand48(unsigned short *parts) {
    return (double)__ravelin_next48(parts) / 281474976710656.0;
}
long lrand48(void) {
    return (long)(__ravelin_next48(0) >> 17);
}
long nrand48(unsigned short *parts) {
    return (long)(__ravelin_next48(parts) >> 17);
}
long mrand48(void) {
    return (int)(__ravelin_next48(0) >> 16);
}
long jrand48(unsigned short *parts) {
    return (int)(__ravelin_next48(parts) >> 16);
}
void srand48(long seed) {
    __ravelin_x48 = (unsigned long long)(unsigned)seed << 16 | 0x330e;
    __ravelin_a48 = 0x5deece66dull;
    __ravelin_c48 = 11;
}
unsigned short *seed48(unsigned short *parts) {
    __ravelin_split48(__ravelin_x48, __ravelin_seed48);
    __ravelin_x48 = __ravelin_join48(parts);
    __ravelin_a48 = 0x5deece66dull;
    __ravelin_c48 = 11;
    return __ravelin_seed48;
}
void lcong48(unsigned short *parts) {
    __ravelin_x48 = __ravelin_join48(parts);
    __ravelin_a48 = __ravelin_join48(parts + 3);
    __ravelin_c48 = parts[6];
}

//: setlocale
// The locale is "C". There may be others, but it is not changed.
int __ravelin_any_int(void);
char *setlocale(int category, const char *name) {
    static char c[2] = "C";
    if (category < 0 || category > 12) return 0;
    if (name == 0) return c;
    if (*name == 0) return __ravelin_any_int() ? c : 0;
    if (name[0] == 'C' && name[1] == 0) return c;
    if (name[0] == 'P' && name[1] == 'O' && name[2] == 'S' && name[3] == 'I' && name[4] == 'X'
        && name[5] == 0) return c;
    return 0;
}

//: localeconv
struct __ravelin_lconv {
    char *decimal_point;
    char *others[9];
    char numbers[14];
};
void *localeconv(void) {
    static struct __ravelin_lconv conventions = {
        ".", {"", "", "", "", "", "", "", "", ""},
        {127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127},
    };
    return &conventions;
}
