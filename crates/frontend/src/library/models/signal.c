// <signal.h>. Signals come only where the program raises them (assumption A4): their handlers run then and there.

//: signal sigaction raise sigprocmask pthread_sigmask sigpending siginterrupt __ravelin_raise_abort
// Numbers are 1 to 64; nothing can be done to SIGKILL 9 and SIGSTOP 19, and glibc has 32 and 33 for itself. Handlers are kept by the
// number of the signal: 0 is SIG_DFL, 1 SIG_IGN. The mask of blocked signals is the thread's own, and so are pending signals, which
// only raise sends.
struct __ravelin_action {
    void *handler;
    unsigned long mask[128 / sizeof(long)];
    int flags;
    void *restorer;
};
void __ravelin_set_errno(int error);
void __ravelin_unsupported(const char *why);
void _exit(int status);
static void *__ravelin_handlers[65];
static unsigned long long __ravelin_masks[65];
static int __ravelin_flags[65];
static _Thread_local unsigned long long __ravelin_blocked;
static _Thread_local unsigned long long __ravelin_pending;
static int __ravelin_is_signal(int number) {
    return number >= 1 && number <= 64 && number != 32 && number != 33;
}
static int __ravelin_can_be_handled(int number) {
    if (__ravelin_is_signal(number) && number != 9 && number != 19) return 1;
    __ravelin_set_errno(22); /* EINVAL */
    return 0;
}
static unsigned long long __ravelin_bit(int number) {
    return 1ull << (number - 1);
}
static unsigned long long __ravelin_read_set(const unsigned long *set) {
    unsigned long long low = set[0];
    return sizeof(long) == 8 ? low : low | (unsigned long long)set[1] << 32;
}
static void __ravelin_write_set(unsigned long *set, unsigned long long bits) {
    unsigned i;
    for (i = 0; i < 128 / sizeof(long); i++) set[i] = 0;
    set[0] = (unsigned long)bits;
    if (sizeof(long) == 4) set[1] = (unsigned long)(bits >> 32);
}
// SA_RESETHAND 0x80000000, SA_NODEFER 0x40000000, SA_SIGINFO 4.
static void __ravelin_handle(int number) {
    void *handler = __ravelin_handlers[number];
    int flags = __ravelin_flags[number];
    unsigned long long before = __ravelin_blocked;
    if (handler == (void *)1) return;
    if (handler == 0) {
        // SIGCHLD, SIGCONT, SIGURG and SIGWINCH do nothing.
        if (number == 17 || number == 18 || number == 23 || number == 28) return;
        if (number >= 19 && number <= 22) __ravelin_unsupported("signals that stop the process");
        _exit(128 + number);
    }
    if (flags & 4) __ravelin_unsupported("handlers that get more than the number of the signal");
    if (flags < 0) __ravelin_handlers[number] = 0;
    __ravelin_blocked |= __ravelin_masks[number];
    if (!(flags & 0x40000000)) __ravelin_blocked |= __ravelin_bit(number);
    ((void (*)(int))handler)(number);
    __ravelin_blocked = before;
}
static void __ravelin_handle_pending(void) {
    int number = 1;
    while (number <= 64 && __ravelin_pending != 0) {
        if (__ravelin_pending & ~__ravelin_blocked & __ravelin_bit(number)) {
            __ravelin_pending &= ~__ravelin_bit(number);
            __ravelin_handle(number);
            number = 0;
        }
        number++;
    }
}
void *signal(int number, void *handler) {
    void *old;
    if (!__ravelin_can_be_handled(number)) return (void *)-1; /* SIG_ERR */
    old = __ravelin_handlers[number];
    __ravelin_handlers[number] = handler;
    __ravelin_masks[number] = __ravelin_bit(number);
    __ravelin_flags[number] = 0x10000000; /* SA_RESTART */
    return old;
}
int sigaction(int number, const struct __ravelin_action *new, struct __ravelin_action *old) {
    void *handler;
    unsigned long long mask;
    int flags;
    // The old one may be asked for where nothing can be changed.
    if (!(new == 0 && __ravelin_is_signal(number)) && !__ravelin_can_be_handled(number)) return -1;
    handler = __ravelin_handlers[number];
    mask = __ravelin_masks[number];
    flags = __ravelin_flags[number];
    if (new != 0) {
        __ravelin_handlers[number] = new->handler;
        __ravelin_masks[number] = __ravelin_read_set(new->mask);
        __ravelin_flags[number] = new->flags;
    }
    if (old != 0) {
        old->handler = handler;
        __ravelin_write_set(old->mask, mask);
        old->flags = flags;
    }
    return 0;
}
int raise(int number) {
    if (number < 0 || number > 64) {
        __ravelin_set_errno(22); /* EINVAL */
        return -1;
    }
    if (number == 0) return 0;
    if (__ravelin_blocked & __ravelin_bit(number) && number != 9 && number != 19) {
        if (__ravelin_handlers[number] != (void *)1) __ravelin_pending |= __ravelin_bit(number);
        return 0;
    }
    __ravelin_handle(number);
    __ravelin_handle_pending();
    return 0;
}
// SIG_BLOCK 0, SIG_UNBLOCK 1, SIG_SETMASK 2. SIGKILL and SIGSTOP are never blocked.
int pthread_sigmask(int how, const unsigned long *set, unsigned long *old) {
    unsigned long long before = __ravelin_blocked;
    if (set != 0) {
        unsigned long long bits = __ravelin_read_set(set) & ~(__ravelin_bit(9) | __ravelin_bit(19));
        if (how < 0 || how > 2) return 22; /* EINVAL */
        __ravelin_blocked = how == 0 ? before | bits : how == 1 ? before & ~bits : bits;
    }
    if (old != 0) __ravelin_write_set(old, before);
    __ravelin_handle_pending();
    return 0;
}
int sigprocmask(int how, const unsigned long *set, unsigned long *old) {
    int error = pthread_sigmask(how, set, old);
    if (error == 0) return 0;
    __ravelin_set_errno(error);
    return -1;
}
int sigpending(unsigned long *set) {
    __ravelin_write_set(set, __ravelin_pending);
    return 0;
}
int siginterrupt(int number, int interrupts) {
    return __ravelin_can_be_handled(number) ? 0 : -1;
}
// What abort does first: a handler for SIGABRT runs, even if the signal is blocked.
void __ravelin_raise_abort(void) {
    void *handler = __ravelin_handlers[6];
    if (handler != 0 && handler != (void *)1) __ravelin_handle(6);
}

//: kill
// A signal to the process is handled by some thread of it that does not block it.
int getpid(void);
int raise(int number);
void __ravelin_unsupported(const char *why);
void __ravelin_reject_with_threads(void);
int kill(int process, int number) {
    if (process != getpid()) __ravelin_unsupported("signals to other processes");
    if (number != 0) __ravelin_reject_with_threads();
    return raise(number);
}

//: __ravelin_reject_signal
void __ravelin_unsupported(const char *why);
void __ravelin_reject_signal(void) {
    __ravelin_unsupported("a signal to a process with threads");
}

//: pthread_kill
// An error is the result here. glibc refuses its own signals.
unsigned long pthread_self(void);
int raise(int number);
void __ravelin_unsupported(const char *why);
int pthread_kill(unsigned long thread, int number) {
    if (number < 0 || number > 64 || number == 32 || number == 33) return 22; /* EINVAL */
    if (number == 0) return 0;
    if (thread != pthread_self()) __ravelin_unsupported("signals to other threads");
    raise(number);
    return 0;
}

//: sigemptyset sigfillset sigaddset sigdelset sigismember
void __ravelin_set_errno(int error);
static int __ravelin_is_in_range(int number) {
    if (number >= 1 && number <= 64 && number != 32 && number != 33) return 1;
    __ravelin_set_errno(22); /* EINVAL */
    return 0;
}
int sigemptyset(unsigned long *set) {
    unsigned i;
    for (i = 0; i < 128 / sizeof(long); i++) set[i] = 0;
    return 0;
}
int sigfillset(unsigned long *set) {
    unsigned i;
    for (i = 0; i < 128 / sizeof(long); i++) set[i] = ~0ul;
    set[31 / (8 * sizeof(long))] &= ~(1ul << 31 % (8 * sizeof(long)));
    set[32 / (8 * sizeof(long))] &= ~(1ul << 32 % (8 * sizeof(long)));
    return 0;
}
int sigaddset(unsigned long *set, int number) {
    if (!__ravelin_is_in_range(number)) return -1;
    set[(number - 1) / (8 * sizeof(long))] |= 1ul << (number - 1) % (8 * sizeof(long));
    return 0;
}
int sigdelset(unsigned long *set, int number) {
    if (!__ravelin_is_in_range(number)) return -1;
    set[(number - 1) / (8 * sizeof(long))] &= ~(1ul << (number - 1) % (8 * sizeof(long)));
    return 0;
}
int sigismember(const unsigned long *set, int number) {
    if (number < 1 || number > 64) {
        __ravelin_set_errno(22); /* EINVAL */
        return -1;
    }
    return set[(number - 1) / (8 * sizeof(long))] >> (number - 1) % (8 * sizeof(long)) & 1;
}
