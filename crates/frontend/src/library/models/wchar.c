// <wchar.h> and <wctype.h> in the "C" locale, whose characters are those of ASCII: others are no
// letters, and other bytes are no characters (EILSEQ, as in glibc). wchar_t has 32 bits and a sign.
// What differs from <string.h> in the type of characters alone stands in string.c.

//: wcsncpy
int *wcsncpy(int *dst, const int *src, unsigned long n) {
    unsigned long i = 0;
    while (i < n && src[i] != 0) {
        dst[i] = src[i];
        i++;
    }
    for (; i < n; i++) dst[i] = 0;
    return dst;
}

//: wcscmp
//= wcscmp -> wcscoll
int wcscmp(const int *a, const int *b) {
    unsigned long i = 0;
    while (a[i] != 0 && a[i] == b[i]) i++;
    return a[i] < b[i] ? -1 : a[i] > b[i];
}

//: wcsncmp
int wcsncmp(const int *a, const int *b, unsigned long n) {
    unsigned long i = 0;
    while (i < n && a[i] != 0 && a[i] == b[i]) i++;
    return i == n ? 0 : a[i] < b[i] ? -1 : a[i] > b[i];
}

//: wcscasecmp wcsncasecmp
static int __ravelin_wide_fold(int c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}
int wcsncasecmp(const int *a, const int *b, unsigned long n) {
    unsigned long i = 0;
    int x;
    int y;
    while (i < n && a[i] != 0 && __ravelin_wide_fold(a[i]) == __ravelin_wide_fold(b[i])) i++;
    if (i == n) return 0;
    x = __ravelin_wide_fold(a[i]);
    y = __ravelin_wide_fold(b[i]);
    return x < y ? -1 : x > y;
}
int wcscasecmp(const int *a, const int *b) {
    return wcsncasecmp(a, b, ~0ul);
}

//: wcschr
int *wcschr(const int *s, int c) {
    while (*s != c) {
        if (*s == 0) return 0;
        s++;
    }
    return (int *)s;
}

//: wcschrnul
int *wcschrnul(const int *s, int c) {
    while (*s != 0 && *s != c) s++;
    return (int *)s;
}

//: wcsrchr
int *wcsrchr(const int *s, int c) {
    const int *last = 0;
    while (*s != 0) {
        if (*s == c) last = s;
        s++;
    }
    return (int *)(c == 0 ? s : last);
}

//: wcstok
static int __ravelin_wide_is_in(int c, const int *set) {
    while (*set != 0) {
        if (*set == c) return 1;
        set++;
    }
    return 0;
}
int *wcstok(int *s, const int *delimiters, int **next) {
    int *token;
    if (s == 0) s = *next;
    if (s == 0) return 0;
    while (*s != 0 && __ravelin_wide_is_in(*s, delimiters)) s++;
    token = s;
    while (*s != 0 && !__ravelin_wide_is_in(*s, delimiters)) s++;
    if (token == s) {
        *next = 0;
        return 0;
    }
    if (*s != 0) {
        *s = 0;
        *next = s + 1;
    } else {
        *next = 0;
    }
    return token;
}

//: wcsdup
void *malloc(unsigned long size);
void *memcpy(void *dst, const void *src, unsigned long size);
int *wcsdup(const int *s) {
    unsigned long size = 1;
    int *copy;
    while (s[size - 1] != 0) size++;
    copy = malloc(size * sizeof(int));
    if (copy != 0) memcpy(copy, s, size * sizeof(int));
    return copy;
}

//: wmemcmp
int wmemcmp(const int *a, const int *b, unsigned long n) {
    unsigned long i;
    for (i = 0; i < n; i++) {
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

//: wmemchr
int *wmemchr(const int *s, int c, unsigned long n) {
    unsigned long i;
    for (i = 0; i < n; i++) {
        if (s[i] == c) return (int *)(s + i);
    }
    return 0;
}

//: wmemcpy
//= memcpy -> memmove, wmemcpy -> wmemmove
void *memcpy(void *dst, const void *src, unsigned long size);
int *wmemcpy(int *dst, const int *src, unsigned long n) {
    return memcpy(dst, src, n * sizeof(int));
}

//: wmempcpy
void *memcpy(void *dst, const void *src, unsigned long size);
int *wmempcpy(int *dst, const int *src, unsigned long n) {
    memcpy(dst, src, n * sizeof(int));
    return dst + n;
}

//: wmemset
int *wmemset(int *dst, int c, unsigned long n) {
    unsigned long i;
    for (i = 0; i < n; i++) dst[i] = c;
    return dst;
}
