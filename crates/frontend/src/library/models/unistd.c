// <unistd.h>. A program is one process, whose numbers stay the same. They are variables that nothing
// defines: such a variable has any value from the start.

//: getpid
// Linux numbers processes from 1 to below 2^22.
extern unsigned __ravelin_process;
int getpid(void) {
    return (int)(__ravelin_process & 0x3fffff) + 1;
}

//: getuid
//= __ravelin_user -> __ravelin_effective_user, getuid -> geteuid
//= __ravelin_user -> __ravelin_group, getuid -> getgid
//= __ravelin_user -> __ravelin_effective_group, getuid -> getegid
extern unsigned __ravelin_user;
unsigned getuid(void) {
    return __ravelin_user;
}

// Descriptors are bits of a set, the lowest free one is given out (POSIX 2.6), and the program starts with 0, 1
// and 2 (assumption A30). What descriptors lead to is open: what is read is anything, and every operation may
// fail.

//: __ravelin_is_open __ravelin_may __ravelin_take_descriptor __ravelin_drop_descriptor
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __ravelin_unsupported(const char *why);
static unsigned long long __ravelin_open_ones = 7;
static unsigned long long __ravelin_readable_ones = 7;
static unsigned long long __ravelin_writable_ones = 7;
int __ravelin_is_open(int descriptor) {
    if (descriptor < 0 || descriptor > 63) return 0;
    return (int)(__ravelin_open_ones >> descriptor & 1);
}
// Bit 0 of the access: reading; bit 1: writing.
int __ravelin_may(int descriptor, int access) {
    unsigned long long ones = access == 1 ? __ravelin_readable_ones : __ravelin_writable_ones;
    return __ravelin_is_open(descriptor) && (int)(ones >> descriptor & 1);
}
int __ravelin_take_descriptor(int access, int lowest) {
    int descriptor = lowest;
    unsigned long long one;
    __VERIFIER_atomic_begin();
    while (descriptor < 64 && (__ravelin_open_ones >> descriptor & 1)) descriptor++;
    if (descriptor >= 64) __ravelin_unsupported("more than 64 descriptors");
    one = 1ull << descriptor;
    __ravelin_open_ones |= one;
    __ravelin_readable_ones = access & 1 ? __ravelin_readable_ones | one : __ravelin_readable_ones & ~one;
    __ravelin_writable_ones = access & 2 ? __ravelin_writable_ones | one : __ravelin_writable_ones & ~one;
    __VERIFIER_atomic_end();
    return descriptor;
}
// Whether it was open.
int __ravelin_drop_descriptor(int descriptor) {
    int was_open;
    __VERIFIER_atomic_begin();
    was_open = __ravelin_is_open(descriptor);
    if (was_open) __ravelin_open_ones &= ~(1ull << descriptor);
    __VERIFIER_atomic_end();
    return was_open;
}

//: open
// The access is O_RDONLY 0, O_WRONLY 1 or O_RDWR 2.
int __ravelin_any_int(void);
void __ravelin_set_any_errno(void);
void __ravelin_cancellation_point(void);
int __ravelin_take_descriptor(int access, int lowest);
int open(const char *path, int flags, ...) {
    __ravelin_cancellation_point();
    if (!__ravelin_any_int()) {
        __ravelin_set_any_errno();
        return -1;
    }
    return __ravelin_take_descriptor((flags & 3) == 0 ? 1 : (flags & 3) == 1 ? 2 : 3, 0);
}

//: creat
int open(const char *path, int flags, ...);
int creat(const char *path, unsigned mode) {
    return open(path, 1);
}

//: close
// The descriptor is free even if there was an error (Linux).
int __ravelin_any_int(void);
void __ravelin_set_errno(int error);
void __ravelin_set_any_errno(void);
void __ravelin_cancellation_point(void);
int __ravelin_drop_descriptor(int descriptor);
int close(int descriptor) {
    __ravelin_cancellation_point();
    if (!__ravelin_drop_descriptor(descriptor)) {
        __ravelin_set_errno(9); /* EBADF */
        return -1;
    }
    if (__ravelin_any_int()) return 0;
    __ravelin_set_any_errno();
    return -1;
}

//: read
int __ravelin_any_int(void);
long __ravelin_any_long(void);
void __ravelin_set_errno(int error);
void __ravelin_set_any_errno(void);
void __ravelin_cancellation_point(void);
int __ravelin_may(int descriptor, int access);
long read(int descriptor, void *data, unsigned long size) {
    char *bytes = data;
    unsigned long length = __ravelin_any_long();
    unsigned long i;
    __ravelin_cancellation_point();
    if (!__ravelin_may(descriptor, 1)) {
        __ravelin_set_errno(9); /* EBADF */
        return -1;
    }
    if (length > size || (long)length < 0) {
        __ravelin_set_any_errno();
        return -1;
    }
    for (i = 0; i < length; i++) bytes[i] = (char)__ravelin_any_int();
    return (long)length;
}

//: write
// What is written is not kept.
long __ravelin_any_long(void);
void __ravelin_set_errno(int error);
void __ravelin_set_any_errno(void);
void __ravelin_cancellation_point(void);
int __ravelin_may(int descriptor, int access);
long write(int descriptor, const void *data, unsigned long size) {
    unsigned long length = __ravelin_any_long();
    __ravelin_cancellation_point();
    if (!__ravelin_may(descriptor, 2)) {
        __ravelin_set_errno(9); /* EBADF */
        return -1;
    }
    if (length > size || (long)length < 0) {
        __ravelin_set_any_errno();
        return -1;
    }
    return (long)length;
}

//: lseek
// The new position, or -1. SEEK_SET 0, SEEK_CUR 1, SEEK_END 2, SEEK_DATA 3 and SEEK_HOLE 4 (Linux).
long __ravelin_any_long(void);
void __ravelin_set_errno(int error);
void __ravelin_set_any_errno(void);
int __ravelin_is_open(int descriptor);
long lseek(int descriptor, long offset, int whence) {
    long position = __ravelin_any_long();
    if (!__ravelin_is_open(descriptor)) {
        __ravelin_set_errno(9); /* EBADF */
        return -1;
    }
    if (whence < 0 || whence > 4 || (whence == 0 && offset < 0)) {
        __ravelin_set_any_errno(); /* EINVAL, or ESPIPE if the file has no positions */
        return -1;
    }
    if (position < 0 || (whence == 0 && position != offset)) {
        __ravelin_set_any_errno();
        return -1;
    }
    return position;
}

//: dup dup2
int __ravelin_any_int(void);
void __ravelin_set_errno(int error);
void __ravelin_set_any_errno(void);
int __ravelin_is_open(int descriptor);
int __ravelin_may(int descriptor, int access);
int __ravelin_take_descriptor(int access, int lowest);
int __ravelin_drop_descriptor(int descriptor);
int dup(int descriptor) {
    if (!__ravelin_is_open(descriptor)) {
        __ravelin_set_errno(9); /* EBADF */
        return -1;
    }
    if (!__ravelin_any_int()) {
        __ravelin_set_any_errno();
        return -1;
    }
    return __ravelin_take_descriptor(__ravelin_may(descriptor, 1) | __ravelin_may(descriptor, 2) << 1, 0);
}
int dup2(int descriptor, int other) {
    int access;
    // No process has 2^20 descriptors unless its limit was raised.
    if (!__ravelin_is_open(descriptor) || other < 0 || other >= 1048576) {
        __ravelin_set_errno(9); /* EBADF */
        return -1;
    }
    if (descriptor == other) return other;
    if (!__ravelin_any_int()) {
        __ravelin_set_any_errno();
        return -1;
    }
    access = __ravelin_may(descriptor, 1) | __ravelin_may(descriptor, 2) << 1;
    __ravelin_drop_descriptor(other);
    return __ravelin_take_descriptor(access, other);
}

//: pipe
int __ravelin_any_int(void);
void __ravelin_set_any_errno(void);
void __ravelin_no_reading_from_pipe(void);
int __ravelin_take_descriptor(int access, int lowest);
int pipe(int *ends) {
    if (!__ravelin_any_int()) {
        __ravelin_set_any_errno();
        return -1;
    }
    __ravelin_no_reading_from_pipe();
    ends[0] = __ravelin_take_descriptor(1, 0);
    ends[1] = __ravelin_take_descriptor(2, 0);
    return 0;
}

//: __ravelin_reject_pipe
void __ravelin_unsupported(const char *why);
void __ravelin_reject_pipe(void) {
    __ravelin_unsupported("what is read from a pipe");
}

//: __ravelin_reject_temporary
void __ravelin_unsupported(const char *why);
void __ravelin_reject_temporary(void) {
    __ravelin_unsupported("what is read from a temporary file");
}

//: unlink rmdir mkdir chdir access chmod link symlink truncate
// What there is in the file system is open.
int __ravelin_any_int(void);
void __ravelin_set_any_errno(void);
static int __ravelin_attempt(void) {
    if (__ravelin_any_int()) return 0;
    __ravelin_set_any_errno();
    return -1;
}
int unlink(const char *path) {
    return __ravelin_attempt();
}
int rmdir(const char *path) {
    return __ravelin_attempt();
}
int mkdir(const char *path, unsigned mode) {
    return __ravelin_attempt();
}
int chdir(const char *path) {
    return __ravelin_attempt();
}
int access(const char *path, int mode) {
    return __ravelin_attempt();
}
int chmod(const char *path, unsigned mode) {
    return __ravelin_attempt();
}
int link(const char *from, const char *to) {
    return __ravelin_attempt();
}
int symlink(const char *target, const char *path) {
    return __ravelin_attempt();
}
int truncate(const char *path, long length) {
    return __ravelin_attempt();
}

//: fsync ftruncate isatty
int __ravelin_any_int(void);
void __ravelin_set_errno(int error);
void __ravelin_set_any_errno(void);
int __ravelin_is_open(int descriptor);
static int __ravelin_attempt_on(int descriptor) {
    if (!__ravelin_is_open(descriptor)) {
        __ravelin_set_errno(9); /* EBADF */
        return -1;
    }
    if (__ravelin_any_int()) return 0;
    __ravelin_set_any_errno();
    return -1;
}
int fsync(int descriptor) {
    return __ravelin_attempt_on(descriptor);
}
int ftruncate(int descriptor, long length) {
    return __ravelin_attempt_on(descriptor);
}
// 1, or 0 with an error.
int isatty(int descriptor) {
    return __ravelin_attempt_on(descriptor) + 1;
}

//: sleep usleep
// Nothing interrupts: handlers run only in the thread that raises a signal. POSIX lets usleep refuse a second and
// more, glibc does not.
void __ravelin_cancellation_point(void);
unsigned sleep(unsigned seconds) {
    __ravelin_cancellation_point();
    return 0;
}
int usleep(unsigned microseconds) {
    __ravelin_cancellation_point();
    return 0;
}
