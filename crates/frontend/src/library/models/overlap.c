// Whether the functions of <string.h> would copy between memory that overlaps, which they must not (C11 7.24.1 and 6.7.3.1):
// called before them, where their arguments are checked. A pointer into no object is a matter of the access.

//: __ravelin_overlaps
// So many bytes are written at `to`, and so many read at `from`.
_Bool __CPROVER_same_object(const void *a, const void *b);
unsigned long __CPROVER_POINTER_OFFSET(const void *pointer);
int __ravelin_overlaps(const char *to, unsigned long written, const char *from, unsigned long read) {
    if (!__CPROVER_same_object(to, from) || written == 0 || read == 0) return 0;
    unsigned long start = __CPROVER_POINTER_OFFSET(to);
    unsigned long other = __CPROVER_POINTER_OFFSET(from);
    return start < other ? other - start < written : start - other < read;
}

//: __ravelin_memcpy_overlaps
// Copying an object to itself is permitted: compilers make such calls of assignments.
int __ravelin_overlaps(const char *to, unsigned long written, const char *from, unsigned long read);
int __ravelin_memcpy_overlaps(const char *to, const char *from, unsigned long size) {
    return to != from && __ravelin_overlaps(to, size, from, size);
}

//: __ravelin_strcpy_overlaps
_Bool __CPROVER_same_object(const void *a, const void *b);
unsigned long strlen(const char *s);
int __ravelin_overlaps(const char *to, unsigned long written, const char *from, unsigned long read);
int __ravelin_strcpy_overlaps(const char *to, const char *from) {
    if (!__CPROVER_same_object(to, from)) return 0;
    unsigned long size = strlen(from) + 1;
    return __ravelin_overlaps(to, size, from, size);
}

//: __ravelin_strncpy_overlaps
// Zeros are written behind a short string.
_Bool __CPROVER_same_object(const void *a, const void *b);
unsigned long strnlen(const char *s, unsigned long max);
int __ravelin_overlaps(const char *to, unsigned long written, const char *from, unsigned long read);
int __ravelin_strncpy_overlaps(const char *to, const char *from, unsigned long size) {
    if (!__CPROVER_same_object(to, from)) return 0;
    unsigned long length = strnlen(from, size);
    return __ravelin_overlaps(to, size, from, length < size ? length + 1 : size);
}

//: __ravelin_strcat_overlaps
_Bool __CPROVER_same_object(const void *a, const void *b);
unsigned long strlen(const char *s);
int __ravelin_overlaps(const char *to, unsigned long written, const char *from, unsigned long read);
int __ravelin_strcat_overlaps(const char *to, const char *from) {
    if (!__CPROVER_same_object(to, from)) return 0;
    unsigned long size = strlen(from) + 1;
    return __ravelin_overlaps(to + strlen(to), size, from, size);
}

//: __ravelin_strncat_overlaps
// A zero is written behind what is copied, even if none is read.
_Bool __CPROVER_same_object(const void *a, const void *b);
unsigned long strlen(const char *s);
unsigned long strnlen(const char *s, unsigned long max);
int __ravelin_overlaps(const char *to, unsigned long written, const char *from, unsigned long read);
int __ravelin_strncat_overlaps(const char *to, const char *from, unsigned long size) {
    if (!__CPROVER_same_object(to, from)) return 0;
    unsigned long length = strnlen(from, size);
    unsigned long read = length < size ? length + 1 : length;
    return __ravelin_overlaps(to + strlen(to), length + 1, from, read);
}
