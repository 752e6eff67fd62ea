// <stdio.h>. Input may be anything, and every operation on files may fail.

//: fopen fdopen tmpfile popen
// What a FILE holds is no concern of programs, but two that are open are two objects.
int __ravelin_any_int(void);
void *malloc(unsigned long size);
static void *__ravelin_open(void) {
    return __ravelin_any_int() ? malloc(256) : 0;
}
void *fopen(const char *path, const char *mode) {
    return __ravelin_open();
}
void *fdopen(int descriptor, const char *mode) {
    return __ravelin_open();
}
void *tmpfile(void) {
    return __ravelin_open();
}
void *popen(const char *command, const char *mode) {
    return __ravelin_open();
}

//: freopen
int __ravelin_any_int(void);
void *freopen(const char *path, const char *mode, void *file) {
    return __ravelin_any_int() ? file : 0;
}

//: setbuf
void __ravelin_unsupported(const char *why);
void setbuf(void *file, char *buffer) {
    if (buffer != 0) __ravelin_unsupported("a buffer for a stream");
}

//: setvbuf
int __ravelin_any_int(void);
void __ravelin_unsupported(const char *why);
int setvbuf(void *file, char *buffer, int mode, unsigned long size) {
    if (buffer != 0) __ravelin_unsupported("a buffer for a stream");
    return __ravelin_any_int();
}

//: __ravelin_check_format
// A conversion %n writes to memory, which is not modelled. Others do nothing but print.
void __ravelin_unsupported(const char *why);
static int __ravelin_leads_to_conversion(char c) {
    switch (c) {
    case '-': case '+': case ' ': case '#': case '0': case '.': case '*': case '$': case '\'':
    case 'I': case 'h': case 'l': case 'q': case 'j': case 'z': case 't': case 'L':
        return 1;
    default:
        return c >= '1' && c <= '9';
    }
}
void __ravelin_check_format(const char *format) {
    while (*format != 0) {
        if (*format != '%') {
            format++;
            continue;
        }
        format++;
        while (__ravelin_leads_to_conversion(*format)) format++;
        if (*format == 'n') __ravelin_unsupported("%n of printf");
        if (*format != 0) format++;
    }
}

//: vprintf
int __ravelin_any_int(void);
void __ravelin_check_format(const char *format);
int vprintf(const char *format, __builtin_va_list args) {
    __ravelin_check_format(format);
    return __ravelin_any_int();
}

//: vfprintf
int vprintf(const char *format, __builtin_va_list args);
int vfprintf(void *file, const char *format, __builtin_va_list args) {
    return vprintf(format, args);
}

//: vdprintf
int vprintf(const char *format, __builtin_va_list args);
int vdprintf(int descriptor, const char *format, __builtin_va_list args) {
    return vprintf(format, args);
}

//: vsyslog
void __ravelin_check_format(const char *format);
void vsyslog(int priority, const char *format, __builtin_va_list args) {
    __ravelin_check_format(format);
}

//: __vprintf_chk
int vprintf(const char *format, __builtin_va_list args);
int __vprintf_chk(int flag, const char *format, __builtin_va_list args) {
    return vprintf(format, args);
}

//: __vfprintf_chk
int vprintf(const char *format, __builtin_va_list args);
int __vfprintf_chk(void *file, int flag, const char *format, __builtin_va_list args) {
    return vprintf(format, args);
}

//: puts
int printf(const char *format, ...);
int puts(const char *s) {
    return printf("%s\n", s);
}

//: fputs
int fprintf(void *file, const char *format, ...);
int fputs(const char *s, void *file) {
    return fprintf(file, "%s", s);
}

//: putchar
int printf(const char *format, ...);
int putchar(int c) {
    return printf("%c", c) < 0 ? -1 : (unsigned char)c;
}

//: fputc
int fprintf(void *file, const char *format, ...);
int fputc(int c, void *file) {
    return fprintf(file, "%c", c) < 0 ? -1 : (unsigned char)c;
}

//: fwrite
// What is written is not kept.
long __ravelin_any_long(void);
unsigned long fwrite(const void *data, unsigned long size, unsigned long count, void *file) {
    unsigned long written = __ravelin_any_long();
    return size == 0 ? 0 : written < count ? written : count;
}

//: getchar
// A character as unsigned char, or EOF.
int __ravelin_any_int(void);
int getchar(void) {
    return __ravelin_any_int() ? (unsigned char)__ravelin_any_int() : -1;
}

//: fgetc
int __ravelin_any_int(void);
int fgetc(void *file) {
    return __ravelin_any_int() ? (unsigned char)__ravelin_any_int() : -1;
}

//: ungetc
int __ravelin_any_int(void);
int ungetc(int c, void *file) {
    return __ravelin_any_int() && c != -1 ? (unsigned char)c : -1;
}

//: fgets
int __ravelin_any_int(void);
char *fgets(char *s, int size, void *file) {
    int length = 0;
    char c = 0;
    if (size <= 0) return 0;
    while (length < size - 1 && c != '\n') {
        if (!__ravelin_any_int()) { /* end of file or error */
            if (length == 0) return 0;
            break;
        }
        c = (char)__ravelin_any_int();
        s[length] = c;
        length++;
    }
    s[length] = 0;
    return s;
}

//: fread
int __ravelin_any_int(void);
unsigned long fread(void *data, unsigned long size, unsigned long count, void *file) {
    char *bytes = data;
    unsigned long read = 0;
    unsigned long i;
    if (size == 0) return 0;
    while (read < count && __ravelin_any_int()) {
        for (i = 0; i < size; i++) bytes[read * size + i] = (char)__ravelin_any_int();
        read++;
    }
    return read;
}
