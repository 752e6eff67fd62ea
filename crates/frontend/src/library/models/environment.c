// What a program finds around it: variables, lines of input, its directory.

//: getenv setenv unsetenv putenv clearenv secure_getenv
// A variable that nobody has asked for yet is not set, or has any text; the answer stays. Linux gives
// programs texts of up to 128 KiB. malloc'ed memory holds anything.
int *__errno_location(void);
int __ravelin_any_int(void);
void *__ravelin_allocate(unsigned long size);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
struct __ravelin_variable {
    struct __ravelin_variable *next;
    char *name;
    char *value; /* null: not set */
};
static struct __ravelin_variable *__ravelin_variables;
static int __ravelin_cleared;
static char *__ravelin_copy_text(const char *text, unsigned long length) {
    char *copy = __ravelin_allocate(length + 1);
    unsigned long i;
    for (i = 0; i < length; i++) copy[i] = text[i];
    copy[length] = 0;
    return copy;
}
/* The variable whose name is this text, up to `length`. */
static struct __ravelin_variable *__ravelin_variable_of(const char *text, unsigned long length,
                                                        int known) {
    struct __ravelin_variable *variable;
    for (variable = __ravelin_variables; variable != 0; variable = variable->next) {
        unsigned long i = 0;
        while (i < length && variable->name[i] == text[i]) i++;
        if (i == length && variable->name[i] == 0) return variable;
    }
    variable = __ravelin_allocate(sizeof(struct __ravelin_variable));
    variable->next = __ravelin_variables;
    variable->name = __ravelin_copy_text(text, length);
    variable->value = 0;
    if (!known && !__ravelin_cleared && __ravelin_any_int()) {
        variable->value = __ravelin_allocate(131072);
        variable->value[131071] = 0;
    }
    __ravelin_variables = variable;
    return variable;
}
/* The length of a name, or 0 if it is none. */
static unsigned long __ravelin_name_length(const char *name) {
    unsigned long length = 0;
    if (name == 0) return 0;
    while (name[length] != 0) {
        if (name[length] == '=') return 0;
        length++;
    }
    return length;
}
char *getenv(const char *name) {
    unsigned long length = __ravelin_name_length(name);
    char *value;
    if (length == 0) return 0;
    __VERIFIER_atomic_begin();
    value = __ravelin_variable_of(name, length, 0)->value;
    __VERIFIER_atomic_end();
    return value;
}
char *secure_getenv(const char *name) {
    return __ravelin_any_int() ? getenv(name) : 0;
}
int setenv(const char *name, const char *value, int overwrite) {
    unsigned long length = __ravelin_name_length(name);
    struct __ravelin_variable *variable;
    unsigned long size = 0;
    if (length == 0) {
        *__errno_location() = 22; /* EINVAL */
        return -1;
    }
    __VERIFIER_atomic_begin();
    variable = __ravelin_variable_of(name, length, overwrite);
    if (overwrite || variable->value == 0) {
        while (value[size] != 0) size++;
        variable->value = __ravelin_copy_text(value, size);
    }
    __VERIFIER_atomic_end();
    return 0;
}
int unsetenv(const char *name) {
    unsigned long length = __ravelin_name_length(name);
    if (length == 0) {
        *__errno_location() = 22; /* EINVAL */
        return -1;
    }
    __VERIFIER_atomic_begin();
    __ravelin_variable_of(name, length, 1)->value = 0;
    __VERIFIER_atomic_end();
    return 0;
}
int putenv(char *text) {
    unsigned long length = 0;
    while (text[length] != 0 && text[length] != '=') length++;
    if (text[length] == 0) return length == 0 ? 0 : unsetenv(text);
    __VERIFIER_atomic_begin();
    __ravelin_variable_of(text, length, 1)->value = text + length + 1;
    __VERIFIER_atomic_end();
    return 0;
}
int clearenv(void) {
    struct __ravelin_variable *variable;
    __VERIFIER_atomic_begin();
    for (variable = __ravelin_variables; variable != 0; variable = variable->next) {
        variable->value = 0;
    }
    __ravelin_cleared = 1;
    __VERIFIER_atomic_end();
    return 0;
}

//: getdelim
// A line of any length. The buffer grows as glibc's does.
int *__errno_location(void);
int __ravelin_any_int(void);
void *realloc(void *block, unsigned long size);
long getdelim(char **line, unsigned long *size, int delimiter, void *file) {
    long length = 0;
    char c;
    if (line == 0 || size == 0) {
        *__errno_location() = 22; /* EINVAL */
        return -1;
    }
    if (*line == 0 || *size == 0) {
        *size = 120;
        *line = realloc(*line, 120);
    }
    do {
        if (!__ravelin_any_int()) { /* end of file or error */
            if (__ravelin_any_int()) {
                int error = __ravelin_any_int();
                *__errno_location() = error > 0 && error < 134 ? error : 5; /* EIO */
                return -1;
            }
            if (length == 0) return -1;
            break;
        }
        c = (char)__ravelin_any_int();
        if ((unsigned long)length + 2 > *size) {
            *size = 2 * *size > (unsigned long)length + 2 ? 2 * *size : (unsigned long)length + 2;
            *line = realloc(*line, *size);
        }
        (*line)[length] = c;
        length++;
    } while (c != (char)delimiter);
    (*line)[length] = 0;
    return length;
}

//: getline
long getdelim(char **line, unsigned long *size, int delimiter, void *file);
long getline(char **line, unsigned long *size, void *file) {
    return getdelim(line, size, '\n', file);
}

//: getcwd
int *__errno_location(void);
int __ravelin_any_int(void);
void *malloc(unsigned long size);
char *getcwd(char *path, unsigned long size) {
    unsigned long i;
    if (size == 0 && path != 0) {
        *__errno_location() = 22; /* EINVAL */
        return 0;
    }
    if (size == 1 || !__ravelin_any_int()) {
        int error = __ravelin_any_int();
        *__errno_location() = error == 2 || error == 12 || error == 13 ? error : 34; /* ERANGE */
        return 0;
    }
    if (size == 0) size = 4096;
    if (path == 0) path = malloc(size);
    path[0] = '/';
    for (i = 1; i + 1 < size; i++) {
        char c = (char)__ravelin_any_int();
        if (c == 0) break;
        path[i] = c;
    }
    path[i] = 0;
    return path;
}

//: gethostname
int *__errno_location(void);
int __ravelin_any_int(void);
int gethostname(char *name, unsigned long size) {
    unsigned long i;
    if (!__ravelin_any_int()) {
        int error = __ravelin_any_int();
        *__errno_location() = error == 22 ? 22 : 36; /* ENAMETOOLONG */
        return -1;
    }
    for (i = 0; i + 1 < size && i < 64; i++) {
        char c = (char)__ravelin_any_int();
        if (c == 0) break;
        name[i] = c;
    }
    if (size > 0) name[i] = 0;
    return 0;
}

//: mkstemp mkdtemp
// The six letters at the end become any others.
int *__errno_location(void);
int __ravelin_any_int(void);
static int __ravelin_new_name(char *pattern) {
    unsigned long end = 0;
    int i;
    while (pattern[end] != 0) end++;
    for (i = 1; i <= 6; i++) {
        if (end < (unsigned long)i || pattern[end - i] != 'X') {
            *__errno_location() = 22; /* EINVAL */
            return 0;
        }
    }
    for (i = 1; i <= 6; i++) {
        char c = (char)__ravelin_any_int();
        int usual = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        pattern[end - i] = usual ? c : 'a';
    }
    if (!__ravelin_any_int()) {
        int error = __ravelin_any_int();
        *__errno_location() = error > 0 && error < 134 ? error : 13; /* EACCES */
        return 0;
    }
    return 1;
}
int mkstemp(char *pattern) {
    if (!__ravelin_new_name(pattern)) return -1;
    return __ravelin_any_int() & 0x7fffffff;
}
char *mkdtemp(char *pattern) {
    return __ravelin_new_name(pattern) ? pattern : 0;
}
