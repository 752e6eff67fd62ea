// <stdio.h>. Input may be anything, and every operation on files may fail.

//: fopen fdopen tmpfile popen
// What a FILE holds is no concern of programs, so one object stands for all.
int __ravelin_any_int(void);
static char __ravelin_file[256];
static void *__ravelin_open(void) {
    return __ravelin_any_int() ? __ravelin_file : 0;
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
