// <string.h> and <strings.h>. Characters compare as unsigned char (C11 7.24.1p3).
// size_t is unsigned long here: it has the width of a pointer in both data models.

//: strlen
//= strlen -> wcslen, char -> int
unsigned long strlen(const char *s) {
    unsigned long n = 0;
    while (s[n] != 0) n++;
    return n;
}

//: strnlen
//= strnlen -> wcsnlen, char -> int
unsigned long strnlen(const char *s, unsigned long max) {
    unsigned long n = 0;
    while (n < max && s[n] != 0) n++;
    return n;
}

//: strcpy
//= char -> int, strcpy -> wcscpy
char *strcpy(char *dst, const char *src) {
    unsigned long i = 0;
    while (src[i] != 0) {
        dst[i] = src[i];
        i++;
    }
    dst[i] = 0;
    return dst;
}

//: __strcpy_chk
char *strcpy(char *dst, const char *src);
char *__strcpy_chk(char *dst, const char *src, unsigned long size) {
    return strcpy(dst, src);
}

//: stpcpy
//= char -> int, stpcpy -> wcpcpy
char *stpcpy(char *dst, const char *src) {
    unsigned long i = 0;
    while (src[i] != 0) {
        dst[i] = src[i];
        i++;
    }
    dst[i] = 0;
    return dst + i;
}

//: strncpy
char *strncpy(char *dst, const char *src, unsigned long n) {
    unsigned long i = 0;
    while (i < n && src[i] != 0) {
        dst[i] = src[i];
        i++;
    }
    while (i < n) {
        dst[i] = 0;
        i++;
    }
    return dst;
}

//: __strncpy_chk
char *strncpy(char *dst, const char *src, unsigned long n);
char *__strncpy_chk(char *dst, const char *src, unsigned long n, unsigned long size) {
    return strncpy(dst, src, n);
}

//: stpncpy
//= char -> int, stpncpy -> wcpncpy
char *stpncpy(char *dst, const char *src, unsigned long n) {
    unsigned long length = 0;
    unsigned long i;
    while (length < n && src[length] != 0) {
        dst[length] = src[length];
        length++;
    }
    for (i = length; i < n; i++) dst[i] = 0;
    return dst + length;
}

//: strlcpy
unsigned long strlcpy(char *dst, const char *src, unsigned long size) {
    unsigned long i = 0;
    while (src[i] != 0) {
        if (i + 1 < size) dst[i] = src[i];
        i++;
    }
    if (size > 0) dst[i < size ? i : size - 1] = 0;
    return i;
}

//: strlcat
unsigned long strlcat(char *dst, const char *src, unsigned long size) {
    unsigned long start = 0;
    unsigned long i = 0;
    while (start < size && dst[start] != 0) start++;
    while (src[i] != 0) {
        if (start + i + 1 < size) dst[start + i] = src[i];
        i++;
    }
    if (start < size) dst[start + i < size ? start + i : size - 1] = 0;
    return start + i;
}

//: strcat
//= char -> int, strcat -> wcscat
char *strcat(char *dst, const char *src) {
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

//: __strcat_chk
char *strcat(char *dst, const char *src);
char *__strcat_chk(char *dst, const char *src, unsigned long size) {
    return strcat(dst, src);
}

//: strncat
//= char -> int, strncat -> wcsncat
char *strncat(char *dst, const char *src, unsigned long n) {
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

//: __strncat_chk
char *strncat(char *dst, const char *src, unsigned long n);
char *__strncat_chk(char *dst, const char *src, unsigned long n, unsigned long size) {
    return strncat(dst, src, n);
}

//: strcmp
//= strcmp -> strcoll
// The locale is "C".
int strcmp(const char *a, const char *b) {
    unsigned long i = 0;
    while (a[i] != 0 && a[i] == b[i]) i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}

//: strncmp
int strncmp(const char *a, const char *b, unsigned long n) {
    unsigned long i = 0;
    while (i < n && a[i] != 0 && a[i] == b[i]) i++;
    return i < n ? (unsigned char)a[i] - (unsigned char)b[i] : 0;
}

//: strcasecmp strncasecmp
static int __ravelin_fold(char c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : (unsigned char)c;
}
int strncasecmp(const char *a, const char *b, unsigned long n) {
    unsigned long i = 0;
    while (i < n && a[i] != 0 && __ravelin_fold(a[i]) == __ravelin_fold(b[i])) i++;
    return i < n ? __ravelin_fold(a[i]) - __ravelin_fold(b[i]) : 0;
}
int strcasecmp(const char *a, const char *b) {
    return strncasecmp(a, b, ~0ul);
}

//: strchr
char *strchr(const char *s, int c) {
    while (*s != (char)c) {
        if (*s == 0) return 0;
        s++;
    }
    return (char *)s;
}

//: strchrnul
char *strchrnul(const char *s, int c) {
    while (*s != 0 && *s != (char)c) s++;
    return (char *)s;
}

//: strrchr
char *strrchr(const char *s, int c) {
    const char *last = 0;
    while (*s != 0) {
        if (*s == (char)c) last = s;
        s++;
    }
    return (char *)((char)c == 0 ? s : last);
}

//: strstr
//= char -> int, strstr -> wcsstr
char *strstr(const char *text, const char *pattern) {
    while (1) {
        unsigned long i = 0;
        while (pattern[i] != 0 && text[i] == pattern[i]) i++;
        if (pattern[i] == 0) return (char *)text;
        if (*text == 0) return 0;
        text++;
    }
}

//: strspn
//= strspn -> wcsspn, char -> int
unsigned long strspn(const char *s, const char *accept) {
    unsigned long n = 0;
    while (s[n] != 0) {
        unsigned long i = 0;
        while (accept[i] != 0 && accept[i] != s[n]) i++;
        if (accept[i] == 0) return n;
        n++;
    }
    return n;
}

//: strcspn
//= strcspn -> wcscspn, char -> int
unsigned long strcspn(const char *s, const char *reject) {
    unsigned long n = 0;
    while (s[n] != 0) {
        unsigned long i = 0;
        while (reject[i] != 0 && reject[i] != s[n]) i++;
        if (reject[i] != 0) return n;
        n++;
    }
    return n;
}

//: strpbrk
//= char -> int, strpbrk -> wcspbrk
char *strpbrk(const char *s, const char *accept) {
    while (*s != 0) {
        unsigned long i = 0;
        while (accept[i] != 0 && accept[i] != *s) i++;
        if (accept[i] != 0) return (char *)s;
        s++;
    }
    return 0;
}

//: strtok_r
static int __ravelin_is_in(char c, const char *set) {
    while (*set != 0) {
        if (*set == c) return 1;
        set++;
    }
    return 0;
}
char *strtok_r(char *s, const char *delimiters, char **next) {
    char *token;
    if (s == 0) s = *next;
    if (s == 0) return 0;
    while (*s != 0 && __ravelin_is_in(*s, delimiters)) s++;
    token = s;
    while (*s != 0 && !__ravelin_is_in(*s, delimiters)) s++;
    if (*s != 0) {
        *s = 0;
        *next = s + 1;
    } else {
        *next = s;
    }
    return token == s ? 0 : token;
}

//: strtok
char *strtok_r(char *s, const char *delimiters, char **next);
static char *__ravelin_next;
char *strtok(char *s, const char *delimiters) {
    return strtok_r(s, delimiters, &__ravelin_next);
}

//: strsep
char *strsep(char **next, const char *delimiters) {
    char *token = *next;
    char *s = token;
    if (s == 0) return 0;
    while (*s != 0) {
        unsigned long i = 0;
        while (delimiters[i] != 0 && delimiters[i] != *s) i++;
        if (delimiters[i] != 0) {
            *s = 0;
            *next = s + 1;
            return token;
        }
        s++;
    }
    *next = 0;
    return token;
}

//: strdup
void *malloc(unsigned long size);
void *memcpy(void *dst, const void *src, unsigned long size);
char *strdup(const char *s) {
    unsigned long size = 1;
    char *copy;
    while (s[size - 1] != 0) size++;
    copy = malloc(size);
    if (copy != 0) memcpy(copy, s, size);
    return copy;
}

//: strndup
void *malloc(unsigned long size);
void *memcpy(void *dst, const void *src, unsigned long size);
char *strndup(const char *s, unsigned long max) {
    unsigned long length = 0;
    char *copy;
    while (length < max && s[length] != 0) length++;
    copy = malloc(length + 1);
    if (copy != 0) {
        memcpy(copy, s, length);
        copy[length] = 0;
    }
    return copy;
}

//: memcmp
int memcmp(const void *a, const void *b, unsigned long n) {
    const unsigned char *x = a;
    const unsigned char *y = b;
    unsigned long i;
    for (i = 0; i < n; i++) {
        if (x[i] != y[i]) return x[i] - y[i];
    }
    return 0;
}

//: memchr
void *memchr(const void *s, int c, unsigned long n) {
    const unsigned char *bytes = s;
    unsigned long i;
    for (i = 0; i < n; i++) {
        if (bytes[i] == (unsigned char)c) return (void *)(bytes + i);
    }
    return 0;
}

//: memrchr
void *memrchr(const void *s, int c, unsigned long n) {
    const unsigned char *bytes = s;
    while (n > 0) {
        n--;
        if (bytes[n] == (unsigned char)c) return (void *)(bytes + n);
    }
    return 0;
}

//: rawmemchr
void *rawmemchr(const void *s, int c) {
    const unsigned char *byte = s;
    while (*byte != (unsigned char)c) byte++;
    return (void *)byte;
}

//: memmem
void *memmem(const void *text, unsigned long size, const void *pattern, unsigned long length) {
    const unsigned char *t = text;
    const unsigned char *p = pattern;
    unsigned long start;
    if (length > size) return 0;
    for (start = 0; start <= size - length; start++) {
        unsigned long i = 0;
        while (i < length && t[start + i] == p[i]) i++;
        if (i == length) return (void *)(t + start);
    }
    return 0;
}

//: memccpy
void *memccpy(void *dst, const void *src, int c, unsigned long n) {
    unsigned char *to = dst;
    const unsigned char *from = src;
    unsigned long i;
    for (i = 0; i < n; i++) {
        to[i] = from[i];
        if (from[i] == (unsigned char)c) return to + i + 1;
    }
    return 0;
}

//: mempcpy
void *memcpy(void *dst, const void *src, unsigned long size);
void *mempcpy(void *dst, const void *src, unsigned long n) {
    memcpy(dst, src, n);
    return (char *)dst + n;
}

//: bcopy
void *memmove(void *dst, const void *src, unsigned long size);
void bcopy(const void *src, void *dst, unsigned long n) {
    memmove(dst, src, n);
}

//: bzero explicit_bzero
void *memset(void *dst, int byte, unsigned long size);
void bzero(void *s, unsigned long n) {
    memset(s, 0, n);
}
void explicit_bzero(void *s, unsigned long n) {
    memset(s, 0, n);
}

//: strerror
//= __ravelin_text -> __ravelin_signal_text, strerror -> strsignal
// The text is unspecified (C11 7.24.6.2); those of glibc have up to 49 characters.
int __ravelin_any_int(void);
static char __ravelin_text[64];
char *strerror(int number) {
    unsigned long i;
    for (i = 0; i < 63; i++) __ravelin_text[i] = (char)__ravelin_any_int();
    __ravelin_text[63] = 0;
    return __ravelin_text;
}
