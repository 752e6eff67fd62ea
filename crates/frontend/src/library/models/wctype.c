// Of <wctype.h> in the "C" locale what ctype.c has not, and wide characters from and to bytes. See wchar.c.

//: iswcntrl
int iswcntrl(unsigned c) {
    return c < ' ' || c == 127;
}

//: wctype iswctype
// A class is its number in this list.
int iswdigit(unsigned c);
int iswxdigit(unsigned c);
int iswupper(unsigned c);
int iswlower(unsigned c);
int iswalpha(unsigned c);
int iswalnum(unsigned c);
int iswspace(unsigned c);
int iswblank(unsigned c);
int iswprint(unsigned c);
int iswgraph(unsigned c);
int iswcntrl(unsigned c);
int iswpunct(unsigned c);
static int __ravelin_same_name(const char *a, const char *b) {
    unsigned long i = 0;
    while (a[i] != 0 && a[i] == b[i]) i++;
    return a[i] == b[i];
}
unsigned long wctype(const char *name) {
    if (__ravelin_same_name(name, "digit")) return 1;
    if (__ravelin_same_name(name, "xdigit")) return 2;
    if (__ravelin_same_name(name, "upper")) return 3;
    if (__ravelin_same_name(name, "lower")) return 4;
    if (__ravelin_same_name(name, "alpha")) return 5;
    if (__ravelin_same_name(name, "alnum")) return 6;
    if (__ravelin_same_name(name, "space")) return 7;
    if (__ravelin_same_name(name, "blank")) return 8;
    if (__ravelin_same_name(name, "print")) return 9;
    if (__ravelin_same_name(name, "graph")) return 10;
    if (__ravelin_same_name(name, "cntrl")) return 11;
    if (__ravelin_same_name(name, "punct")) return 12;
    return 0;
}
int iswctype(unsigned c, unsigned long class) {
    switch (class) {
    case 1: return iswdigit(c);
    case 2: return iswxdigit(c);
    case 3: return iswupper(c);
    case 4: return iswlower(c);
    case 5: return iswalpha(c);
    case 6: return iswalnum(c);
    case 7: return iswspace(c);
    case 8: return iswblank(c);
    case 9: return iswprint(c);
    case 10: return iswgraph(c);
    case 11: return iswcntrl(c);
    case 12: return iswpunct(c);
    default: return 0;
    }
}

//: wctrans
static const int __ravelin_mappings[2];
const int *wctrans(const char *name) {
    static const char names[2][8] = {"toupper", "tolower"};
    int which;
    for (which = 0; which < 2; which++) {
        unsigned long i = 0;
        while (name[i] != 0 && name[i] == names[which][i]) i++;
        if (name[i] == names[which][i]) return &__ravelin_mappings[which];
    }
    return 0;
}

//: towctrans
const int *wctrans(const char *name);
unsigned towctrans(unsigned c, const int *mapping) {
    if (mapping == wctrans("toupper") && c >= 'a' && c <= 'z') return c - 32;
    if (mapping == wctrans("tolower") && c >= 'A' && c <= 'Z') return c + 32;
    return c;
}

//: wcwidth
int wcwidth(int c) {
    return c == 0 ? 0 : c >= ' ' && c <= '~' ? 1 : -1;
}

//: wcswidth
int wcswidth(const int *s, unsigned long n) {
    unsigned long i;
    for (i = 0; i < n && s[i] != 0; i++) {
        if (s[i] < ' ' || s[i] > '~') return -1;
    }
    return (int)i;
}

//: wcstoll wcstoimax
unsigned long long __ravelin_parse_wide(const int *s, int **end, int base, unsigned long long most,
                                        unsigned long long least, int *negative);
long long wcstoll(const int *s, int **end, int base) {
    unsigned long long most = ~0ull >> 1;
    int negative;
    unsigned long long value = __ravelin_parse_wide(s, end, base, most, most + 1, &negative);
    return negative ? -value : value;
}
long long wcstoimax(const int *s, int **end, int base) {
    unsigned long long most = ~0ull >> 1;
    int negative;
    unsigned long long value = __ravelin_parse_wide(s, end, base, most, most + 1, &negative);
    return negative ? -value : value;
}

//: wcstoull wcstoumax
unsigned long long __ravelin_parse_wide(const int *s, int **end, int base, unsigned long long most,
                                        unsigned long long least, int *negative);
unsigned long long wcstoull(const int *s, int **end, int base) {
    unsigned long long most = ~0ull;
    int negative;
    unsigned long long value = __ravelin_parse_wide(s, end, base, most, most, &negative);
    return negative ? -value : value;
}
unsigned long long wcstoumax(const int *s, int **end, int base) {
    unsigned long long most = ~0ull;
    int negative;
    unsigned long long value = __ravelin_parse_wide(s, end, base, most, most, &negative);
    return negative ? -value : value;
}

//: btowc
unsigned btowc(int c) {
    return c >= 0 && c < 128 ? (unsigned)c : 0xffffffffu;
}

//: wctob
int wctob(unsigned c) {
    return c < 128 ? (int)c : -1;
}

//: mbsinit
int mbsinit(const void *state) {
    return 1;
}

//: mbrtowc
int *__errno_location(void);
unsigned long mbrtowc(int *result, const char *s, unsigned long n, void *state) {
    if (s == 0) return 0;
    if (n == 0) return -2ul;
    if (*s < 0) {
        *__errno_location() = 84; /* EILSEQ */
        return -1ul;
    }
    if (result != 0) *result = *s;
    return *s != 0;
}

//: mbrlen
unsigned long mbrtowc(int *result, const char *s, unsigned long n, void *state);
unsigned long mbrlen(const char *s, unsigned long n, void *state) {
    return mbrtowc(0, s, n, state);
}

//: mbtowc
int *__errno_location(void);
int mbtowc(int *result, const char *s, unsigned long n) {
    if (s == 0) return 0;
    if (n == 0 && *s != 0) return -1; /* glibc looks for the end first */
    if (*s < 0) {
        *__errno_location() = 84; /* EILSEQ */
        return -1;
    }
    if (result != 0) *result = *s;
    return *s != 0;
}

//: mblen
int mbtowc(int *result, const char *s, unsigned long n);
int mblen(const char *s, unsigned long n) {
    return mbtowc(0, s, n);
}

//: wcrtomb
int *__errno_location(void);
unsigned long wcrtomb(char *s, int c, void *state) {
    if (s == 0) return 1;
    if (c < 0 || c > 127) {
        *__errno_location() = 84; /* EILSEQ */
        return -1ul;
    }
    *s = (char)c;
    return 1;
}

//: wctomb
int *__errno_location(void);
int wctomb(char *s, int c) {
    if (s == 0) return 0;
    if (c < 0 || c > 127) {
        *__errno_location() = 84; /* EILSEQ */
        return -1;
    }
    *s = (char)c;
    return 1;
}

//: mbstowcs
int *__errno_location(void);
unsigned long mbstowcs(int *dst, const char *src, unsigned long n) {
    unsigned long i;
    for (i = 0; dst == 0 || i < n; i++) {
        if (src[i] < 0) {
            *__errno_location() = 84; /* EILSEQ */
            return -1ul;
        }
        if (dst != 0) dst[i] = src[i];
        if (src[i] == 0) return i;
    }
    return i;
}

//: wcstombs
int *__errno_location(void);
unsigned long wcstombs(char *dst, const int *src, unsigned long n) {
    unsigned long i;
    for (i = 0; dst == 0 || i < n; i++) {
        if (src[i] < 0 || src[i] > 127) {
            *__errno_location() = 84; /* EILSEQ */
            return -1ul;
        }
        if (dst != 0) dst[i] = (char)src[i];
        if (src[i] == 0) return i;
    }
    return i;
}

//: mbsrtowcs
int *__errno_location(void);
unsigned long mbsrtowcs(int *dst, const char **src, unsigned long n, void *state) {
    const char *s = *src;
    unsigned long i;
    for (i = 0; dst == 0 || i < n; i++) {
        if (s[i] < 0) {
            if (dst != 0) *src = s + i;
            *__errno_location() = 84; /* EILSEQ */
            return -1ul;
        }
        if (dst != 0) dst[i] = s[i];
        if (s[i] == 0) {
            if (dst != 0) *src = 0;
            return i;
        }
    }
    *src = s + i;
    return i;
}

//: wcsrtombs
int *__errno_location(void);
unsigned long wcsrtombs(char *dst, const int **src, unsigned long n, void *state) {
    const int *s = *src;
    unsigned long i;
    for (i = 0; dst == 0 || i < n; i++) {
        if (s[i] < 0 || s[i] > 127) {
            if (dst != 0) *src = s + i;
            *__errno_location() = 84; /* EILSEQ */
            return -1ul;
        }
        if (dst != 0) dst[i] = (char)s[i];
        if (s[i] == 0) {
            if (dst != 0) *src = 0;
            return i;
        }
    }
    *src = s + i;
    return i;
}
