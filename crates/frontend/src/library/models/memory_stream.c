// Streams over memory, as glibc has them: fmemopen. They replace the other streams in programs that mention
// fmemopen, which may then use no other streams and no functions but these: the rest is not modelled. The stream keeps
// what is written until it is flushed, and reads all that there is at once; the program sees the difference in its own
// buffer. What glibc does with a full buffer, or where reading and writing alternate, is not modelled.

//: fmemopen __ravelin_is_over_memory __ravelin_memory_fputs __ravelin_memory_fputc __ravelin_memory_fgetc __ravelin_memory_fgets __ravelin_memory_fflush __ravelin_memory_fclose __ravelin_memory_rewind __fpending __freading __fwriting __freadable __fwritable
void *__ravelin_allocate(unsigned long size);
void free(void *block);
void *memcpy(void *to, const void *from, unsigned long size);
void __ravelin_set_errno(int error);
void __ravelin_unsupported(const char *why);
void __ravelin_no_other_streams(void);
int __ravelin_over_memory(void);
struct __ravelin_memory_stream {
    int ended; /* as in other streams, which feof and its like ask */
    int failed;
    int readable, writable;
    int state; /* 0 opened, 1 written to, 2 read from, 3 rewound */
    char *buffer; /* the program's, of this size and with so much in it */
    unsigned long size, length;
    unsigned long position; /* where the next transfer to or from it takes place */
    char *kept; /* what waits to be written or was read from it */
    unsigned long count, next;
};
int __ravelin_is_over_memory(void) {
    return 1;
}
void *fmemopen(void *buffer, unsigned long size, const char *mode) {
    struct __ravelin_memory_stream *stream;
    int reads = *mode == 'r', updates = 0, at = 1;
    __ravelin_no_other_streams();
    if (*mode != 'r' && *mode != 'w' && *mode != 'a') {
        __ravelin_set_errno(22); /* EINVAL */
        return 0;
    }
    if (mode[at] == '+') {
        updates = 1;
        at++;
    }
    if (mode[at] == 'b') at++;
    if (*mode == 'a' || mode[at] != 0 || buffer == 0 || size == 0 || size > 1024)
        __ravelin_unsupported("fmemopen in this mode, or with this buffer");
    stream = __ravelin_allocate(sizeof *stream);
    stream->ended = 0;
    stream->failed = 0;
    stream->readable = reads || updates;
    stream->writable = !reads || updates;
    stream->state = 0;
    stream->buffer = buffer;
    stream->size = size;
    stream->length = reads ? size : 0;
    stream->position = 0;
    stream->kept = __ravelin_allocate(size);
    stream->count = 0;
    stream->next = 0;
    if (!reads && updates) *stream->buffer = 0;
    return stream;
}
static void __ravelin_transfer(struct __ravelin_memory_stream *stream) {
    if (stream->state != 1 || stream->count == 0) return;
    memcpy(stream->buffer + stream->position, stream->kept, stream->count);
    stream->position += stream->count;
    stream->count = 0;
    if (stream->position > stream->length) {
        stream->length = stream->position;
        stream->buffer[stream->length] = 0;
    }
}
static int __ravelin_put(struct __ravelin_memory_stream *stream, char c) {
    if (!stream->writable) {
        stream->failed = 1;
        __ravelin_set_errno(9); /* EBADF */
        return -1;
    }
    if (stream->state == 2) __ravelin_unsupported("writing to a stream over memory that was read from");
    if (stream->position + stream->count + 1 >= stream->size || c == 0)
        __ravelin_unsupported("a stream over memory that is full, or a zero in it");
    stream->state = 1;
    stream->kept[stream->count] = c;
    stream->count++;
    return 0;
}
static int __ravelin_get(struct __ravelin_memory_stream *stream) {
    if (stream->state == 1) __ravelin_unsupported("reading from a stream over memory that was written to");
    if (!stream->readable) {
        stream->failed = 1;
        __ravelin_set_errno(9); /* EBADF */
        return -1;
    }
    if (stream->state != 2) {
        stream->state = 2;
        stream->count = stream->length;
        stream->next = 0;
        memcpy(stream->kept, stream->buffer, stream->count);
    }
    if (stream->ended || stream->next == stream->count) {
        stream->ended = 1;
        return -1;
    }
    stream->next++;
    return (unsigned char)stream->kept[stream->next - 1];
}
int __ravelin_memory_fputs(const char *s, void *file) {
    while (*s != 0) {
        if (__ravelin_put(file, *s) < 0) return -1;
        s++;
    }
    return 1;
}
int __ravelin_memory_fputc(int c, void *file) {
    return __ravelin_put(file, (char)c) < 0 ? -1 : (unsigned char)c;
}
int __ravelin_memory_fgetc(void *file) {
    return __ravelin_get(file);
}
char *__ravelin_memory_fgets(char *s, int size, void *file) {
    int length = 0, c = 0;
    if (size <= 0) return 0;
    while (length < size - 1 && c != '\n') {
        c = __ravelin_get(file);
        if (c < 0) {
            if (length == 0) return 0;
            break;
        }
        s[length] = (char)c;
        length++;
    }
    s[length] = 0;
    return s;
}
int __ravelin_memory_fflush(void *file) {
    struct __ravelin_memory_stream *stream = file;
    if (stream == 0) __ravelin_unsupported("fflush of all streams");
    if (stream->state == 2) __ravelin_unsupported("fflush of a stream over memory that was read from");
    __ravelin_transfer(stream);
    return 0;
}
int __ravelin_memory_fclose(void *file) {
    struct __ravelin_memory_stream *stream = file;
    __ravelin_transfer(stream);
    free(stream->kept);
    free(stream);
    return 0;
}
void __ravelin_memory_rewind(void *file) {
    struct __ravelin_memory_stream *stream = file;
    if (stream->state == 2) __ravelin_unsupported("rewind of a stream over memory that was read from");
    __ravelin_transfer(stream);
    stream->state = 3;
    stream->position = 0;
    stream->ended = 0;
    stream->failed = 0;
}
static void __ravelin_check_over_memory(void) {
    if (!__ravelin_over_memory()) __ravelin_unsupported("the state of a stream that is not over memory");
}
unsigned long __fpending(void *file) {
    struct __ravelin_memory_stream *stream = file;
    __ravelin_check_over_memory();
    return stream->state == 1 ? stream->count : 0;
}
int __freading(void *file) {
    struct __ravelin_memory_stream *stream = file;
    __ravelin_check_over_memory();
    if (!stream->writable) return 1;
    if (stream->state == 3) __ravelin_unsupported("the direction of a stream over memory that was rewound");
    return stream->state == 2;
}
int __fwriting(void *file) {
    struct __ravelin_memory_stream *stream = file;
    __ravelin_check_over_memory();
    if (stream->state == 3) __ravelin_unsupported("the direction of a stream over memory that was rewound");
    return (stream->readable ? 0 : 4) + (stream->state == 1 ? 2048 : 0); /* as glibc's flags are */
}
int __freadable(void *file) {
    struct __ravelin_memory_stream *stream = file;
    __ravelin_check_over_memory();
    return stream->readable;
}
int __fwritable(void *file) {
    struct __ravelin_memory_stream *stream = file;
    __ravelin_check_over_memory();
    return stream->writable;
}

//: __ravelin_reject_other_streams
void __ravelin_unsupported(const char *why);
void __ravelin_reject_other_streams(void) {
    __ravelin_unsupported("fmemopen next to other streams, or to functions that are not modelled for it");
}
