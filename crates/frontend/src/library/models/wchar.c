// <wchar.h> and <wctype.h> in the "C" locale, whose characters are those of ASCII: others are no
// letters, and other bytes are no characters (EILSEQ, as in glibc). wchar_t has 32 bits and a sign.

//: wcslen
unsigned long wcslen(const int *s) {
    unsigned long n = 0;
    while (s[n] != 0) n++;
    return n;
}

//: wcsnlen
unsigned long wcsnlen(const int *s, unsigned long max) {
    unsigned long n = 0;
    while (n < max && s[n] != 0) n++;
    return n;
}

//: wcscpy
int *wcscpy(int *dst, const int *src) {
    unsigned long i = 0;
    while (src[i] != 0) {
        dst[i] = src[i];
        i++;
    }
    dst[i] = 0;
    return dst;
}

//: wcpcpy
int *wcpcpy(int *dst, const int *src) {
    unsigned long i = 0;
    while (src[i] != 0) {
        dst[i] = src[i];
        i++;
    }
    dst[i] = 0;
    return dst + i;
}

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

//: wcpncpy
int *wcpncpy(int *dst, const int *src, unsigned long n) {
    unsigned long length = 0;
    unsigned long i;
    while (length < n && src[length] != 0) {
        dst[length] = src[length];
        length++;
    }
    for (i = length; i < n; i++) dst[i] = 0;
    return dst + length;
}

//: wcscat
int *wcscat(int *dst, const int *src) {
    unsigned long end = 0;
    unsigned long i = 0;
    while (dst[end] != 0) end++;
    while (src[i] != 0) {
        dst[end + i] = src[i];
        i++;
    }
    dst[end + i] = 0;
    return dst;
}

//: wcsncat
int *wcsncat(int *dst, const int *src, unsigned long n) {
    unsigned long end = 0;
    unsigned long i = 0;
    while (dst[end] != 0) end++;
    while (i < n && src[i] != 0) {
        dst[end + i] = src[i];
        i++;
    }
    dst[end + i] = 0;
    return dst;
}

//: wcscmp
int wcscmp(const int *a, const int *b) {
    unsigned long i = 0;
    while (a[i] != 0 && a[i] == b[i]) i++;
    return a[i] < b[i] ? -1 : a[i] > b[i];
}

//: wcscoll
int wcscoll(const int *a, const int *b) {
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

//: wcsxfrm
unsigned long wcsxfrm(int *dst, const int *src, unsigned long n) {
    unsigned long length = 0;
    while (src[length] != 0) {
        if (length < n) dst[length] = src[length];
        length++;
    }
    if (length < n) dst[length] = 0;
    return length;
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

//: wcsstr
int *wcsstr(const int *text, const int *pattern) {
    while (1) {
        unsigned long i = 0;
        while (pattern[i] != 0 && text[i] == pattern[i]) i++;
        if (pattern[i] == 0) return (int *)text;
        if (*text == 0) return 0;
        text++;
    }
}

//: wcsspn
unsigned long wcsspn(const int *s, const int *accept) {
    unsigned long n = 0;
    while (s[n] != 0) {
        unsigned long i = 0;
        while (accept[i] != 0 && accept[i] != s[n]) i++;
        if (accept[i] == 0) return n;
        n++;
    }
    return n;
}

//: wcscspn
unsigned long wcscspn(const int *s, const int *reject) {
    unsigned long n = 0;
    while (s[n] != 0) {
        unsigned long i = 0;
        while (reject[i] != 0 && reject[i] != s[n]) i++;
        if (reject[i] != 0) return n;
        n++;
    }
    return n;
}

//: wcspbrk
int *wcspbrk(const int *s, const int *accept) {
    while (*s != 0) {
        unsigned long i = 0;
        while (accept[i] != 0 && accept[i] != *s) i++;
        if (accept[i] != 0) return (int *)s;
        s++;
    }
    return 0;
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

//: wmemmove
void *memmove(void *dst, const void *src, unsigned long size);
int *wmemmove(int *dst, const int *src, unsigned long n) {
    return memmove(dst, src, n * sizeof(int));
}

//: wmemset
int *wmemset(int *dst, int c, unsigned long n) {
    unsigned long i;
    for (i = 0; i < n; i++) dst[i] = c;
    return dst;
}
