/* The schedule. Each mark is something that a thread does to what threads share, in the order of the
   counterexample. The program is compiled with -fsanitize=thread, so that every access to memory comes by
   here first, and this is linked in the place of the sanitizer. A thread that comes to its next mark waits
   until all before it are done; a mark is done when its thread comes by again. Locks and the like are not
   really taken: the order of the marks is one in which they are respected. */

enum { RAVELIN_READ, RAVELIN_WRITE, RAVELIN_START, RAVELIN_JOIN, RAVELIN_END, RAVELIN_SYNC };

#define RAVELIN_COUNT ((int)(sizeof ravelin_marks / sizeof *ravelin_marks) - 1)
/* So many marks of a thread may be missed: compilers access memory where others see a variable. */
#define RAVELIN_LOOKAHEAD 12
/* Of a fifth of a millisecond each. */
#define RAVELIN_PATIENCE 50000

static volatile int ravelin_now;
static char ravelin_done[sizeof ravelin_marks / sizeof *ravelin_marks];
static char ravelin_gate;
static RAVELIN_THREAD int ravelin_cursor, ravelin_holds, ravelin_held, ravelin_held_last;

static void ravelin_pause(void) {
    struct timespec time = {0, 200000};
    nanosleep(&time, 0);
}

static void ravelin_enter(void) {
    while (__atomic_test_and_set(&ravelin_gate, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void ravelin_leave(void) { __atomic_clear(&ravelin_gate, __ATOMIC_RELEASE); }

static void ravelin_advance(void) {
    while (ravelin_now < RAVELIN_COUNT && ravelin_done[ravelin_now])
        ravelin_now++;
}

/* What the thread did last is done. */
static void ravelin_finish(void) {
    if (ravelin_holds) {
        ravelin_holds = 0;
        for (int i = ravelin_held; i <= ravelin_held_last; i++)
            if (ravelin_marks[i].thread == ravelin_me)
                ravelin_done[i] = 1;
    }
    ravelin_advance();
}

/* The symbol whose bytes contain an address. */
static ElfW(Sym) *ravelin_symbol_at(char *address, int type) {
    for (unsigned long i = 0; i < ravelin_symbol_count; i++)
        if ((ravelin_symbols[i].st_info & 15) == type && ravelin_symbols[i].st_shndx != SHN_UNDEF &&
            address >= (char *)ravelin_symbols[i].st_value &&
            address < (char *)ravelin_symbols[i].st_value + ravelin_symbols[i].st_size)
            return &ravelin_symbols[i];
    return 0;
}

/* Whether a symbol is a variable of this name. A static variable of a function has a number behind its name. */
static int ravelin_is_named(ElfW(Sym) *symbol, const char *name) {
    const char *other = ravelin_symbol_names + symbol->st_name;
    if (!*name || (symbol->st_info & 15) != STT_OBJECT || symbol->st_shndx == SHN_UNDEF)
        return 0;
    while (*name && *name == *other)
        name++, other++;
    return !*name && (!*other || *other == '.');
}

/* Where the variables of the program are. Of several with one name, each is where it is accessed first by a function
   that accesses it in the counterexample. */
__attribute__((constructor(103))) static void ravelin_bind(void) {
    for (int k = 1; k <= RAVELIN_OBJECTS; k++) {
        ElfW(Sym) *found = 0;
        int same = 0;
        for (int other = 1; other <= RAVELIN_OBJECTS; other++)
            same += ravelin_equal(ravelin_names[k], ravelin_names[other]);
        for (unsigned long j = 0; j < ravelin_symbol_count; j++)
            if (ravelin_is_named(&ravelin_symbols[j], ravelin_names[k])) {
                same += found && found->st_value != ravelin_symbols[j].st_value;
                found = &ravelin_symbols[j];
            }
        if (found && same == 1)
            ravelin_bases[k] = (char *)found->st_value;
    }
}

/* Whether an object whose place is not known can be where a function accesses memory. */
static int ravelin_can_be(int mark, char *address, long size, void *code) {
    int object = ravelin_marks[mark].object;
    const char *name = ravelin_names[object];
    ElfW(Sym) *symbol = ravelin_symbol_at(address, STT_OBJECT);
    /* What has no name is on the stack or on the heap. */
    if (!*name)
        return !symbol && ravelin_marks[mark].size == size;
    if (!symbol || !ravelin_is_named(symbol, name))
        return 0;
    for (int other = 1; other <= RAVELIN_OBJECTS; other++)
        if (ravelin_bases[other] == (char *)symbol->st_value)
            return 0;
    ElfW(Sym) *function = ravelin_symbol_at(code, STT_FUNC);
    return !function || ravelin_equal(ravelin_symbol_names + function->st_name,
                                      ravelin_marks[mark].function);
}

static int ravelin_is_last(void) {
    ravelin_enter();
    ravelin_finish();
    ravelin_leave();
    return ravelin_me == RAVELIN_LAST;
}

/* Whether the thread does something more in the counterexample. */
static int ravelin_goes_on(void) {
    for (int i = ravelin_cursor; i < RAVELIN_COUNT; i++)
        if (ravelin_marks[i].thread == ravelin_me && !ravelin_done[i])
            return 1;
    return ravelin_me == RAVELIN_LAST;
}

static int ravelin_find(int kind, char *address, long size, void *code) {
    int seen = 0, known = 0;
    for (int i = ravelin_cursor; i < RAVELIN_COUNT; i++) {
        if (ravelin_marks[i].thread != ravelin_me)
            continue;
        char *base = ravelin_bases[ravelin_marks[i].object];
        if (ravelin_marks[i].kind == kind) {
            if (kind > RAVELIN_WRITE)
                return i;
            /* Compilers access more bytes than the program does: those around a bit-field. */
            char *begin = base + ravelin_marks[i].offset;
            if (base && begin < address + size && address < begin + ravelin_marks[i].size)
                return i;
            /* Where nothing is known that comes before, an object is where it is accessed first. */
            if (!base && (!known || *ravelin_names[ravelin_marks[i].object]) &&
                ravelin_can_be(i, address, size, code)) {
                ElfW(Sym) *symbol = ravelin_symbol_at(address, STT_OBJECT);
                ravelin_bases[ravelin_marks[i].object] =
                    symbol ? (char *)symbol->st_value : address - ravelin_marks[i].offset;
                return i;
            }
        }
        known |= base != 0;
        /* Of calls, none is missed. */
        if (kind <= RAVELIN_WRITE &&
            (++seen > RAVELIN_LOOKAHEAD || ravelin_marks[i].kind > RAVELIN_WRITE))
            return -1;
    }
    if (kind > RAVELIN_WRITE)
        for (int i = ravelin_cursor; i < RAVELIN_COUNT; i++)
            if (ravelin_marks[i].thread == ravelin_me)
                ravelin_done[i] = 1;
    return -1;
}

static void ravelin_wait(int until) {
    for (long waited = 0;; waited++) {
        ravelin_advance();
        if (ravelin_now >= until)
            return;
        ravelin_leave();
        if (waited > RAVELIN_PATIENCE)
            ravelin_astray("the threads went other ways");
        ravelin_pause();
        ravelin_enter();
    }
}

/* The last mark that is done together with one: compilers access at once what Ravelin accesses piece by piece. */
static int ravelin_last_of(int mark, char *address, long size) {
    int last = mark;
    for (int i = mark + 1; ravelin_marks[mark].kind <= RAVELIN_WRITE && i < RAVELIN_COUNT; i++) {
        if (ravelin_marks[i].thread != ravelin_me)
            continue;
        char *begin = ravelin_bases[ravelin_marks[i].object] + ravelin_marks[i].offset;
        if (ravelin_marks[i].kind != ravelin_marks[mark].kind ||
            ravelin_marks[i].object != ravelin_marks[mark].object ||
            ravelin_marks[i].offset != ravelin_marks[last].offset + ravelin_marks[last].size ||
            begin + ravelin_marks[i].size > address + size)
            break;
        last = i;
    }
    return last;
}

/* Waits for the turn of the thread, if it comes to one of its marks; gives the mark or -1. */
static int ravelin_take_at(int kind, void *address, long size, void *code) {
    ravelin_enter();
    ravelin_finish();
    int mark = ravelin_find(kind, address, size, code);
    if (mark >= 0) {
        for (int i = ravelin_cursor; i < mark; i++)
            if (ravelin_marks[i].thread == ravelin_me)
                ravelin_done[i] = 1;
        ravelin_held_last = ravelin_last_of(mark, address, size);
        ravelin_cursor = ravelin_held_last + 1;
        ravelin_wait(mark);
        ravelin_holds = 1;
        ravelin_held = mark;
    } else if (!ravelin_goes_on()) {
        /* It waits for the others, and for the end. */
        ravelin_wait(RAVELIN_COUNT + 1);
    }
    ravelin_leave();
    return mark;
}

static int ravelin_take(int kind, void *address, long size) {
    return ravelin_take_at(kind, address, size, 0);
}

/* An operation of a kind that begins with RAVELIN_SYNC. Some wait for what another thread does. */
static int ravelin_sync(int op) {
    int mark = ravelin_take(RAVELIN_SYNC + op, 0, 0);
    if (mark < 0)
        ravelin_astray("a thread synchronises that did not");
    if (ravelin_marks[mark].after >= 0) {
        ravelin_enter();
        ravelin_finish();
        ravelin_wait(ravelin_marks[mark].after + 1);
        ravelin_leave();
    }
    return ravelin_marks[mark].result;
}

struct ravelin_start {
    void *(*routine)(void *);
    void *arg;
    int number;
};

static void *ravelin_run(void *given) {
    struct ravelin_start start = *(struct ravelin_start *)given;
    free(given);
    ravelin_me = start.number;
    void *value = start.routine(start.arg);
    ravelin_take(RAVELIN_END, 0, 0);
    ravelin_enter();
    ravelin_finish();
    ravelin_leave();
    return value;
}

static void *ravelin_real(const char *name) {
    void *real = dlsym(RTLD_NEXT, name);
    if (!real)
        ravelin_astray(name);
    return real;
}

int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*routine)(void *),
                   void *arg) {
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))ravelin_real(
            "pthread_create");
    struct ravelin_start *start = malloc(sizeof *start);
    int mark = ravelin_take(RAVELIN_START, 0, 0);
    start->routine = routine;
    start->arg = arg;
    start->number = mark < 0 ? -1 : ravelin_marks[mark].result;
    return real(handle, attributes, ravelin_run, start);
}

int pthread_join(pthread_t handle, void **value) {
    int (*real)(pthread_t, void **) = (int (*)(pthread_t, void **))ravelin_real("pthread_join");
    ravelin_take(RAVELIN_JOIN, 0, 0);
    return real(handle, value);
}

void pthread_exit(void *value) {
    void (*real)(void *) = (void (*)(void *))ravelin_real("pthread_exit");
    ravelin_take(RAVELIN_END, 0, 0);
    ravelin_enter();
    ravelin_finish();
    ravelin_leave();
    real(value);
    __builtin_unreachable();
}

enum {
    RAVELIN_LOCK, RAVELIN_UNLOCK, RAVELIN_CONDITION, RAVELIN_SIGNAL, RAVELIN_BROADCAST,
    RAVELIN_READ_LOCK, RAVELIN_WRITE_LOCK, RAVELIN_RW_UNLOCK, RAVELIN_BARRIER, RAVELIN_SEM_WAIT,
    RAVELIN_SEM_POST, RAVELIN_SEM_VALUE
};

static int ravelin_condition(void) {
    ravelin_sync(RAVELIN_UNLOCK);
    ravelin_sync(RAVELIN_CONDITION);
    return ravelin_sync(RAVELIN_LOCK);
}

#define RAVELIN_SYNC_FUNCTION(name, parameters, op) \
    int name parameters { return ravelin_sync(op); }

RAVELIN_SYNC_FUNCTION(pthread_mutex_lock, (pthread_mutex_t *it), RAVELIN_LOCK)
RAVELIN_SYNC_FUNCTION(pthread_mutex_trylock, (pthread_mutex_t *it), RAVELIN_LOCK)
RAVELIN_SYNC_FUNCTION(pthread_mutex_timedlock, (pthread_mutex_t *it, const struct timespec *time),
                      RAVELIN_LOCK)
RAVELIN_SYNC_FUNCTION(pthread_mutex_unlock, (pthread_mutex_t *it), RAVELIN_UNLOCK)
RAVELIN_SYNC_FUNCTION(pthread_spin_lock, (pthread_spinlock_t *it), RAVELIN_LOCK)
RAVELIN_SYNC_FUNCTION(pthread_spin_trylock, (pthread_spinlock_t *it), RAVELIN_LOCK)
RAVELIN_SYNC_FUNCTION(pthread_spin_unlock, (pthread_spinlock_t *it), RAVELIN_UNLOCK)
RAVELIN_SYNC_FUNCTION(pthread_cond_signal, (pthread_cond_t *it), RAVELIN_SIGNAL)
RAVELIN_SYNC_FUNCTION(pthread_cond_broadcast, (pthread_cond_t *it), RAVELIN_BROADCAST)
RAVELIN_SYNC_FUNCTION(pthread_rwlock_rdlock, (pthread_rwlock_t *it), RAVELIN_READ_LOCK)
RAVELIN_SYNC_FUNCTION(pthread_rwlock_tryrdlock, (pthread_rwlock_t *it), RAVELIN_READ_LOCK)
RAVELIN_SYNC_FUNCTION(pthread_rwlock_wrlock, (pthread_rwlock_t *it), RAVELIN_WRITE_LOCK)
RAVELIN_SYNC_FUNCTION(pthread_rwlock_trywrlock, (pthread_rwlock_t *it), RAVELIN_WRITE_LOCK)
RAVELIN_SYNC_FUNCTION(pthread_rwlock_unlock, (pthread_rwlock_t *it), RAVELIN_RW_UNLOCK)
RAVELIN_SYNC_FUNCTION(pthread_barrier_wait, (pthread_barrier_t *it), RAVELIN_BARRIER)
RAVELIN_SYNC_FUNCTION(sem_wait, (sem_t *it), RAVELIN_SEM_WAIT)
RAVELIN_SYNC_FUNCTION(sem_trywait, (sem_t *it), RAVELIN_SEM_WAIT)
RAVELIN_SYNC_FUNCTION(sem_post, (sem_t *it), RAVELIN_SEM_POST)

int pthread_cond_wait(pthread_cond_t *it, pthread_mutex_t *mutex) { return ravelin_condition(); }
int pthread_cond_timedwait(pthread_cond_t *it, pthread_mutex_t *mutex, const struct timespec *time) {
    return ravelin_condition();
}

/* Threads of C11. */
RAVELIN_SYNC_FUNCTION(mtx_lock, (void *it), RAVELIN_LOCK)
RAVELIN_SYNC_FUNCTION(mtx_unlock, (void *it), RAVELIN_UNLOCK)
RAVELIN_SYNC_FUNCTION(cnd_signal, (void *it), RAVELIN_SIGNAL)
RAVELIN_SYNC_FUNCTION(cnd_broadcast, (void *it), RAVELIN_BROADCAST)
int cnd_wait(void *it, void *mutex) { return ravelin_condition(); }
int thrd_create(pthread_t *handle, int (*routine)(void *), void *arg) {
    return pthread_create(handle, 0, (void *(*)(void *))routine, arg);
}
int thrd_join(pthread_t handle, int *result) {
    void *value = 0;
    int failed = pthread_join(handle, &value);
    if (result)
        *result = (int)(long)value;
    return failed;
}
void thrd_exit(int result) {
    pthread_exit((void *)(long)result);
    __builtin_unreachable();
}

/* What is not really taken cannot be asked. */
int sem_getvalue(sem_t *it, int *value) {
    *value = ravelin_sync(RAVELIN_SEM_VALUE);
    return 0;
}
/* What Ravelin's model of sem_timedwait is made of. */
int __ravelin_semaphore_trywait(void *it) { return ravelin_sync(RAVELIN_SEM_WAIT); }

/* What the compiler calls before accesses. */

void __tsan_init(void) {}
void __tsan_func_entry(void *address) {}
void __tsan_func_exit(void) {}

#define RAVELIN_HOOK(name, kind, size)  \
    void __tsan_##name(void *at) { ravelin_take_at(kind, at, size, __builtin_return_address(0)); }
#define RAVELIN_ACCESS(size)                                  \
    RAVELIN_HOOK(read##size, RAVELIN_READ, size)              \
    RAVELIN_HOOK(write##size, RAVELIN_WRITE, size)            \
    RAVELIN_HOOK(unaligned_read##size, RAVELIN_READ, size)    \
    RAVELIN_HOOK(unaligned_write##size, RAVELIN_WRITE, size)  \
    RAVELIN_HOOK(volatile_read##size, RAVELIN_READ, size)     \
    RAVELIN_HOOK(volatile_write##size, RAVELIN_WRITE, size)

RAVELIN_ACCESS(1)
RAVELIN_ACCESS(2)
RAVELIN_ACCESS(4)
RAVELIN_ACCESS(8)
RAVELIN_ACCESS(16)

void __tsan_read_range(void *at, long size) {
    ravelin_take_at(RAVELIN_READ, at, size, __builtin_return_address(0));
}
void __tsan_write_range(void *at, long size) {
    ravelin_take_at(RAVELIN_WRITE, at, size, __builtin_return_address(0));
}

/* Functions that Ravelin takes for one step, or for two. */
RAVELIN_WEAK void *memmove(void *to, const void *from, size_t size) {
    if (!size)
        return to;
    ravelin_take_at(RAVELIN_READ, (void *)from, size, __builtin_return_address(0));
    ravelin_take_at(RAVELIN_WRITE, to, size, __builtin_return_address(0));
    if ((char *)to <= (const char *)from)
        ravelin_copy(to, from, size);
    else
        for (size_t i = size; i > 0; i--)
            ((volatile char *)to)[i - 1] = ((const char *)from)[i - 1];
    return to;
}
void *memcpy(void *to, const void *from, size_t size)
    __attribute__((weak, alias("memmove")));
RAVELIN_WEAK void *memset(void *to, int byte, size_t size) {
    if (size)
        ravelin_take_at(RAVELIN_WRITE, to, size, __builtin_return_address(0));
    for (size_t i = 0; i < size; i++)
        ((volatile char *)to)[i] = byte;
    return to;
}

/* Atomic operations are calls; what they write is a mark after what they read. */
#define RAVELIN_CHANGE(type, bits, name, builtin)                                      \
    type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) {      \
        ravelin_take(RAVELIN_READ, (void *)at, sizeof *at);                            \
        ravelin_take(RAVELIN_WRITE, (void *)at, sizeof *at);                           \
        return builtin(at, value, __ATOMIC_SEQ_CST);                                   \
    }
#define RAVELIN_COMPARE(type, bits, name)                                                     \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *at, type *expected,      \
                                                      type value, int order, int otherwise) { \
        ravelin_take(RAVELIN_READ, (void *)at, sizeof *at);                                   \
        if (*at == *expected)                                                                 \
            ravelin_take(RAVELIN_WRITE, (void *)at, sizeof *at);                              \
        return __atomic_compare_exchange_n(at, expected, value, 0, __ATOMIC_SEQ_CST,          \
                                           __ATOMIC_SEQ_CST);                                 \
    }
#define RAVELIN_ATOMIC(type, bits)                                          \
    type __tsan_atomic##bits##_load(const volatile type *at, int order) {   \
        ravelin_take(RAVELIN_READ, (void *)at, sizeof *at);                 \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                       \
    }                                                                       \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order) { \
        ravelin_take(RAVELIN_WRITE, (void *)at, sizeof *at);                \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                      \
    }                                                                       \
    RAVELIN_CHANGE(type, bits, exchange, __atomic_exchange_n)               \
    RAVELIN_CHANGE(type, bits, fetch_add, __atomic_fetch_add)               \
    RAVELIN_CHANGE(type, bits, fetch_sub, __atomic_fetch_sub)               \
    RAVELIN_CHANGE(type, bits, fetch_and, __atomic_fetch_and)               \
    RAVELIN_CHANGE(type, bits, fetch_or, __atomic_fetch_or)                 \
    RAVELIN_CHANGE(type, bits, fetch_xor, __atomic_fetch_xor)               \
    RAVELIN_CHANGE(type, bits, fetch_nand, __atomic_fetch_nand)             \
    RAVELIN_COMPARE(type, bits, strong)                                     \
    RAVELIN_COMPARE(type, bits, weak)

RAVELIN_ATOMIC(unsigned char, 8)
RAVELIN_ATOMIC(unsigned short, 16)
RAVELIN_ATOMIC(unsigned, 32)
RAVELIN_ATOMIC(unsigned long long, 64)

void __tsan_atomic_thread_fence(int order) {}
void __tsan_atomic_signal_fence(int order) {}
