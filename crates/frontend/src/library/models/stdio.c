// <stdio.h>. Input may be anything, and every operation on files may fail.

//: fopen fdopen tmpfile popen
// What a FILE holds is no concern of programs, but two that are open are two objects. C leaves other modes
// open; glibc refuses them.
int __ravelin_any_int(void);
void *__ravelin_allocate(unsigned long size);
void __ravelin_set_errno(int error);
void __ravelin_set_any_errno(void);
void __ravelin_may_set_errno(void);
void __ravelin_stream_opened(void *file);
void __ravelin_no_reading_back(void);
int __ravelin_is_open(int descriptor);
static void *__ravelin_open(void) {
    void *file;
    if (!__ravelin_any_int()) {
        __ravelin_set_any_errno();
        return 0;
    }
    file = __ravelin_allocate(256);
    __ravelin_stream_opened(file);
    __ravelin_may_set_errno();
    return file;
}
static int __ravelin_is_mode(const char *mode) {
    if (*mode == 'r' || *mode == 'w' || *mode == 'a') return 1;
    __ravelin_set_errno(22); /* EINVAL */
    return 0;
}
void *fopen(const char *path, const char *mode) {
    return __ravelin_is_mode(mode) ? __ravelin_open() : 0;
}
void *fdopen(int descriptor, const char *mode) {
    if (!__ravelin_is_mode(mode)) return 0;
    if (!__ravelin_is_open(descriptor)) {
        __ravelin_set_errno(9); /* EBADF */
        return 0;
    }
    return __ravelin_open();
}
void *tmpfile(void) {
    __ravelin_no_reading_back();
    return __ravelin_open();
}
void *popen(const char *command, const char *mode) {
    if (*mode != 'r' && *mode != 'w') {
        __ravelin_set_errno(22); /* EINVAL */
        return 0;
    }
    return __ravelin_open();
}

//: freopen
int __ravelin_any_int(void);
void __ravelin_set_any_errno(void);
void __ravelin_may_set_errno(void);
void __ravelin_stream_opened(void *file);
void *freopen(const char *path, const char *mode, void *file) {
    if (!__ravelin_any_int()) {
        __ravelin_set_any_errno();
        return 0;
    }
    __ravelin_stream_opened(file);
    __ravelin_may_set_errno();
    return file;
}

//: fclose
int __ravelin_any_int(void);
void __ravelin_set_any_errno(void);
void __ravelin_may_set_errno(void);
int __ravelin_over_memory(void);
int __ravelin_over_memory_fclose(void *file);
int fclose(void *file) {
    if (__ravelin_over_memory()) return __ravelin_over_memory_fclose(file);
    if (!__ravelin_any_int()) {
        __ravelin_set_any_errno();
        return -1;
    }
    __ravelin_may_set_errno();
    return 0;
}

//: fflush
int __ravelin_any_int(void);
void __ravelin_set_any_errno(void);
void __ravelin_may_set_errno(void);
void __ravelin_flush_failed(void *file);
int __ravelin_over_memory(void);
int __ravelin_over_memory_fflush(void *file);
int fflush(void *file) {
    if (__ravelin_over_memory()) return __ravelin_over_memory_fflush(file);
    if (!__ravelin_any_int()) {
        __ravelin_set_any_errno();
        __ravelin_flush_failed(file);
        return -1;
    }
    __ravelin_may_set_errno();
    return 0;
}

//: pclose
// The status of the command, or -1.
int __ravelin_any_int(void);
void __ravelin_set_any_errno(void);
int pclose(void *file) {
    int status = __ravelin_any_int();
    if (status < 0) {
        __ravelin_set_any_errno();
        return -1;
    }
    return status;
}

//: remove rename
int __ravelin_any_int(void);
void __ravelin_set_any_errno(void);
int remove(const char *path) {
    if (__ravelin_any_int()) return 0;
    __ravelin_set_any_errno();
    return -1;
}
int rename(const char *from, const char *to) {
    if (__ravelin_any_int()) return 0;
    __ravelin_set_any_errno();
    return -1;
}

//: __ravelin_reset_stream __ravelin_end_stream __ravelin_break_stream __ravelin_break_flushed __ravelin_at_end feof ferror clearerr
// A stream begins with two flags: at the end of the file, and in error. They are kept in programs that ask for
// them; who reads at the end gets the end again (C11 7.21.7.1p3).
void __ravelin_reset_stream(void *file) {
    ((int *)file)[0] = 0;
    ((int *)file)[1] = 0;
}
void __ravelin_end_stream(void *file) {
    ((int *)file)[0] = 1;
}
void __ravelin_break_stream(void *file) {
    ((int *)file)[1] = 1;
}
void __ravelin_break_flushed(void *file) {
    if (file != 0) ((int *)file)[1] = 1;
}
int __ravelin_at_end(void *file) {
    return ((int *)file)[0];
}
int feof(void *file) {
    return ((int *)file)[0];
}
int ferror(void *file) {
    return ((int *)file)[1];
}
void clearerr(void *file) {
    ((int *)file)[0] = 0;
    ((int *)file)[1] = 0;
}

//: __ravelin_read_nothing
// The end of the file, or an error.
int __ravelin_any_int(void);
void __ravelin_set_any_errno(void);
void __ravelin_stream_ended(void *file);
void __ravelin_stream_failed(void *file);
int __ravelin_stream_is_at_end(void *file);
void __ravelin_read_nothing(void *file) {
    if (__ravelin_stream_is_at_end(file) || __ravelin_any_int()) {
        __ravelin_stream_ended(file);
    } else {
        __ravelin_stream_failed(file);
        __ravelin_set_any_errno();
    }
}

//: fseek ftell rewind
int __ravelin_over_memory(void);
void __ravelin_over_memory_rewind(void *file);
int __ravelin_any_int(void);
long __ravelin_any_long(void);
void __ravelin_set_errno(int error);
void __ravelin_set_any_errno(void);
void __ravelin_stream_opened(void *file);
int fseek(void *file, long offset, int whence) {
    if (whence < 0 || whence > 2) {
        __ravelin_set_errno(22); /* EINVAL */
        return -1;
    }
    if (!__ravelin_any_int()) {
        __ravelin_set_any_errno();
        return -1;
    }
    __ravelin_stream_opened(file);
    return 0;
}
long ftell(void *file) {
    long position = __ravelin_any_long();
    if (position >= 0) return position;
    __ravelin_set_any_errno();
    return -1;
}
void rewind(void *file) {
    if (__ravelin_over_memory()) {
        __ravelin_over_memory_rewind(file);
        return;
    }
    __ravelin_stream_opened(file);
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
// A negative result on failure: -1 in glibc.
int __ravelin_any_int(void);
void __ravelin_set_any_errno(void);
void __ravelin_may_set_errno(void);
void __ravelin_check_format(const char *format);
int vprintf(const char *format, __builtin_va_list args) {
    int count = __ravelin_any_int();
    __ravelin_check_format(format);
    if (count < 0) {
        __ravelin_set_any_errno();
        return -1;
    }
    __ravelin_may_set_errno();
    return count;
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
int __ravelin_over_memory(void);
int __ravelin_over_memory_fputs(const char *s, void *file);
int fputs(const char *s, void *file) {
    if (__ravelin_over_memory()) return __ravelin_over_memory_fputs(s, file);
    return fprintf(file, "%s", s);
}

//: putchar
int printf(const char *format, ...);
int putchar(int c) {
    return printf("%c", c) < 0 ? -1 : (unsigned char)c;
}

//: fputc
int fprintf(void *file, const char *format, ...);
int __ravelin_over_memory(void);
int __ravelin_over_memory_fputc(int c, void *file);
int fputc(int c, void *file) {
    if (__ravelin_over_memory()) return __ravelin_over_memory_fputc(c, file);
    return fprintf(file, "%c", c) < 0 ? -1 : (unsigned char)c;
}

//: fwrite
// What is written is not kept.
long __ravelin_any_long(void);
void __ravelin_set_any_errno(void);
void __ravelin_may_set_errno(void);
void __ravelin_stream_failed(void *file);
unsigned long fwrite(const void *data, unsigned long size, unsigned long count, void *file) {
    unsigned long written = __ravelin_any_long();
    if (size == 0 || count == 0) return 0;
    if (written >= count) {
        __ravelin_may_set_errno();
        return count;
    }
    __ravelin_stream_failed(file);
    __ravelin_set_any_errno();
    return written;
}

//: getchar
int fgetc(void *file);
extern struct _IO_FILE *stdin;
int getchar(void) {
    return fgetc(stdin);
}

//: fgetc
// A character as unsigned char, or EOF.
int __ravelin_any_int(void);
void __ravelin_may_set_errno(void);
void __ravelin_read_nothing(void *file);
int __ravelin_stream_is_at_end(void *file);
int __ravelin_over_memory(void);
int __ravelin_over_memory_fgetc(void *file);
int fgetc(void *file) {
    if (__ravelin_over_memory()) return __ravelin_over_memory_fgetc(file);
    if (!__ravelin_stream_is_at_end(file) && __ravelin_any_int()) {
        __ravelin_may_set_errno();
        return (unsigned char)__ravelin_any_int();
    }
    __ravelin_read_nothing(file);
    return -1;
}

//: ungetc
// One character can always be pushed back (C11 7.21.7.10p3), more may be. It is not kept for the next reading, which
// may then give anything: such a program is not modelled.
int __ravelin_any_int(void);
void __ravelin_unsupported(const char *why);
int ungetc(int c, void *file) {
    if (c == -1) return -1;
    __ravelin_unsupported("a character that is pushed back to a stream");
    return (unsigned char)c;
}

//: fgets
int __ravelin_any_int(void);
void __ravelin_may_set_errno(void);
void __ravelin_set_any_errno(void);
void __ravelin_read_nothing(void *file);
void __ravelin_stream_ended(void *file);
void __ravelin_stream_failed(void *file);
int __ravelin_stream_is_at_end(void *file);
int __ravelin_over_memory(void);
char *__ravelin_over_memory_fgets(char *s, int size, void *file);
char *fgets(char *s, int size, void *file) {
    if (__ravelin_over_memory()) return __ravelin_over_memory_fgets(s, size, file);
    int length = 0;
    char c = 0;
    if (size <= 0) return 0;
    while (length < size - 1 && c != '\n') {
        if (__ravelin_stream_is_at_end(file) || !__ravelin_any_int()) {
            if (length == 0) {
                __ravelin_read_nothing(file);
                return 0;
            }
            if (!__ravelin_any_int()) { /* what was read before the error is lost */
                __ravelin_stream_failed(file);
                __ravelin_set_any_errno();
                return 0;
            }
            __ravelin_stream_ended(file);
            break;
        }
        c = (char)__ravelin_any_int();
        s[length] = c;
        length++;
    }
    __ravelin_may_set_errno();
    s[length] = 0;
    return s;
}

//: fread
int __ravelin_any_int(void);
void __ravelin_may_set_errno(void);
void __ravelin_read_nothing(void *file);
int __ravelin_stream_is_at_end(void *file);
unsigned long fread(void *data, unsigned long size, unsigned long count, void *file) {
    char *bytes = data;
    unsigned long read = 0;
    unsigned long i;
    if (size == 0 || count == 0 || __ravelin_stream_is_at_end(file)) return 0;
    while (read < count && __ravelin_any_int()) {
        for (i = 0; i < size; i++) bytes[read * size + i] = (char)__ravelin_any_int();
        read++;
    }
    if (read < count) {
        __ravelin_read_nothing(file);
    } else {
        __ravelin_may_set_errno();
    }
    return read;
}
