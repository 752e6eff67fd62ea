// <pthread.h> and <semaphore.h>: what is more than one operation. No call fails for want of
// resources. pthread_t is unsigned long, and the attribute types that matter begin with an int.

//: pthread_join
void *__ravelin_thread_join(unsigned long thread);
int __ravelin_is_self(unsigned long thread);
void __ravelin_joins(unsigned long thread);
void __ravelin_waits_for_thread(void);
void __ravelin_cancellation_point(void);
int pthread_join(unsigned long thread, void **result) {
    __ravelin_cancellation_point();
    if (__ravelin_is_self(thread)) return 35; /* EDEADLK, as glibc has it */
    __ravelin_waits_for_thread();
    __ravelin_joins(thread);
    void *value = __ravelin_thread_join(thread);
    if (result != 0) *result = value;
    return 0;
}

//: __ravelin_is_own
unsigned long pthread_self(void);
int __ravelin_is_own(unsigned long thread) {
    return thread == pthread_self();
}

//: __ravelin_check_join pthread_detach __ravelin_created
// In programs that detach threads: 1 for those that are detached, 2 for those that somebody joins or joined. Both are
// final, and to do either after that is undefined (POSIX, pthread_detach).
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __ravelin_undefined(const char *what);
void __ravelin_unsupported(const char *why);
static unsigned char __ravelin_left[64];
static int __ravelin_leave(unsigned long thread, unsigned char how) {
    unsigned char before = 0;
    if (thread >= 64) __ravelin_unsupported("more than 63 threads, in a program that detaches some");
    __VERIFIER_atomic_begin();
    before = __ravelin_left[thread];
    __ravelin_left[thread] = how;
    __VERIFIER_atomic_end();
    return before;
}
void __ravelin_check_join(unsigned long thread) {
    if (__ravelin_leave(thread, 2) != 0) {
        __ravelin_undefined("a join with a thread that is detached or was joined");
    }
}
int pthread_detach(unsigned long thread) {
    if (thread == 0) __ravelin_undefined("detaching what is no thread");
    if (__ravelin_leave(thread, 1) != 0) {
        __ravelin_undefined("detaching a thread that is detached or was joined");
    }
    return 0;
}
void __ravelin_created(const int *attributes, unsigned long thread) {
    if (attributes != 0 && *attributes == 1) __ravelin_leave(thread, 1);
}

//: pthread_setconcurrency
int pthread_setconcurrency(int level) {
    return level < 0 ? 22 : 0; /* EINVAL */
}

//: pthread_setname_np
// Names of up to 15 characters. For threads that are not the caller's own the system is asked, which may refuse.
int pthread_setname_np(unsigned long thread, const char *name) {
    int length = 0;
    while (name[length] != 0) {
        length++;
        if (length > 15) return 34; /* ERANGE */
    }
    return 0;
}

//: pthread_equal
int pthread_equal(unsigned long a, unsigned long b) {
    return a == b;
}

//: pthread_mutexattr_init pthread_mutexattr_settype pthread_mutexattr_gettype pthread_mutexattr_setprotocol pthread_mutexattr_getprotocol pthread_mutexattr_setpshared pthread_mutexattr_getpshared pthread_mutexattr_setrobust pthread_mutexattr_getrobust
// The type in the lower bits, the protocol in bits 28 and 29, and in bit 31 whether processes share it, as in glibc.
void __ravelin_unsupported(const char *why);
int pthread_mutexattr_init(int *bits) {
    *bits = 0;
    return 0;
}
int pthread_mutexattr_settype(int *bits, int type) {
    if (type < 0 || type > 3) return 22; /* EINVAL */
    *bits = (*bits & ~3) | type;
    return 0;
}
int pthread_mutexattr_gettype(const int *bits, int *type) {
    *type = *bits & 3;
    return 0;
}
int pthread_mutexattr_setprotocol(int *bits, int protocol) {
    if (protocol < 0 || protocol > 2) return 22; /* EINVAL */
    if (protocol == 2) __ravelin_unsupported("priority ceilings of mutexes");
    *bits = (*bits & ~(3 << 28)) | protocol << 28;
    return 0;
}
int pthread_mutexattr_getprotocol(const int *bits, int *protocol) {
    *protocol = *bits >> 28 & 3;
    return 0;
}
int pthread_mutexattr_setpshared(int *bits, int shared) {
    if (shared != 0 && shared != 1) return 22; /* EINVAL */
    *bits = shared ? *bits | (int)0x80000000 : *bits & 0x7fffffff;
    return 0;
}
int pthread_mutexattr_getpshared(const int *bits, int *shared) {
    *shared = *bits < 0;
    return 0;
}
int pthread_mutexattr_setrobust(int *bits, int robust) {
    if (robust != 0 && robust != 1) return 22; /* EINVAL */
    if (robust == 1) __ravelin_unsupported("robust mutexes");
    return 0;
}
int pthread_mutexattr_getrobust(const int *bits, int *robust) {
    *robust = 0;
    return 0;
}

//: pthread_mutex_init
// The kinds are those of glibc; 3 is a normal mutex that spins for a while.
int __ravelin_mutex_init(void *mutex, int kind);
int pthread_mutex_init(void *mutex, const int *kind) {
    return __ravelin_mutex_init(mutex, kind == 0 || (*kind & 3) == 3 ? 0 : *kind & 3);
}

//: pthread_spin_init
int __ravelin_mutex_init(void *mutex, int kind);
int pthread_spin_init(void *lock, int shared) {
    return __ravelin_mutex_init(lock, 0);
}

//: __ravelin_is_deadline
// Waiting until a time that is none fails with EINVAL.
int __ravelin_is_deadline(const long *time) {
    return time[1] >= 0 && time[1] <= 999999999;
}

//: pthread_mutex_timedlock pthread_mutex_clocklock
// A mutex that is free is locked whatever the time (POSIX leaves that open, glibc does not look). Clocks are CLOCK_REALTIME
// 0 and CLOCK_MONOTONIC 1.
int pthread_mutex_trylock(void *mutex);
int __ravelin_mutex_timedlock(void *mutex);
int __ravelin_is_deadline(const long *time);
int pthread_mutex_timedlock(void *mutex, const void *deadline) {
    if (__ravelin_is_deadline(deadline)) return __ravelin_mutex_timedlock(mutex);
    return pthread_mutex_trylock(mutex) == 0 ? 0 : 22; /* EINVAL */
}
int pthread_mutex_clocklock(void *mutex, int clock, const void *deadline) {
    if (clock != 0 && clock != 1) return 22; /* EINVAL */
    return pthread_mutex_timedlock(mutex, deadline);
}

//: pthread_cond_timedwait pthread_cond_clockwait
int __ravelin_cond_timedwait(void *condition, void *mutex);
int __ravelin_is_deadline(const long *time);
int pthread_cond_timedwait(void *condition, void *mutex, const void *deadline) {
    if (!__ravelin_is_deadline(deadline)) return 22; /* EINVAL */
    return __ravelin_cond_timedwait(condition, mutex);
}
int pthread_cond_clockwait(void *condition, void *mutex, int clock, const void *deadline) {
    if (!__ravelin_is_deadline(deadline) || (clock != 0 && clock != 1)) return 22; /* EINVAL */
    return __ravelin_cond_timedwait(condition, mutex);
}

//: pthread_rwlock_timedrdlock pthread_rwlock_clockrdlock
//= pthread_rwlock_rdlock -> pthread_rwlock_wrlock, pthread_rwlock_tryrdlock -> pthread_rwlock_trywrlock, pthread_rwlock_timedrdlock -> pthread_rwlock_timedwrlock, pthread_rwlock_clockrdlock -> pthread_rwlock_clockwrlock
// glibc looks at the time first. A lock that is free is taken at once.
int pthread_rwlock_rdlock(void *lock);
int pthread_rwlock_tryrdlock(void *lock);
int __ravelin_any_int(void);
int __ravelin_is_deadline(const long *time);
int pthread_rwlock_timedrdlock(void *lock, const void *deadline) {
    if (!__ravelin_is_deadline(deadline)) return 22; /* EINVAL */
    if (pthread_rwlock_tryrdlock(lock) == 0) return 0;
    if (__ravelin_any_int()) return 110; /* ETIMEDOUT */
    return pthread_rwlock_rdlock(lock);
}
int pthread_rwlock_clockrdlock(void *lock, int clock, const void *deadline) {
    if (clock != 0 && clock != 1) return 22; /* EINVAL */
    return pthread_rwlock_timedrdlock(lock, deadline);
}

//: pthread_once
// The object itself serves as the lock, so that whoever comes second waits for the first; it is
// used as a read-write lock because these have no kinds that would be read from its bytes.
int pthread_rwlock_wrlock(void *lock);
int pthread_rwlock_unlock(void *lock);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int pthread_once(int *once, void (*routine)(void)) {
    if (pthread_rwlock_wrlock(once) != 0) {
        for (;;) {} /* the routine waits for its own end */
    }
    if (*once == 0) {
        routine();
        /* Others wait at the object. */
        __VERIFIER_atomic_begin();
        *once = 2;
        __VERIFIER_atomic_end();
    }
    pthread_rwlock_unlock(once);
    return 0;
}

//: pthread_key_create pthread_key_delete pthread_setspecific pthread_getspecific __ravelin_destroy_values
// Keys are not used again, so the values of a new one are null in all threads.
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __ravelin_unsupported(const char *why);
static unsigned __ravelin_keys;
static void (*__ravelin_destructors[16])(void *);
static _Thread_local void *__ravelin_values[16];
int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    unsigned next;
    __VERIFIER_atomic_begin();
    next = __ravelin_keys;
    if (next < 16) {
        __ravelin_destructors[next] = destructor;
        __ravelin_keys = next + 1;
    }
    __VERIFIER_atomic_end();
    if (next >= 16) __ravelin_unsupported("more than 16 keys of thread-specific data");
    *key = next;
    return 0;
}
int pthread_key_delete(unsigned key) {
    if (key >= 16) return 22; /* EINVAL */
    __ravelin_destructors[key] = 0;
    return 0;
}
int pthread_setspecific(unsigned key, const void *value) {
    if (key >= 16) return 22; /* EINVAL */
    __ravelin_values[key] = (void *)value;
    return 0;
}
void *pthread_getspecific(unsigned key) {
    return key < 16 ? __ravelin_values[key] : 0;
}
// Called where a thread ends, but not where the program does. Destructors may set values again, so there are
// several rounds, four in glibc. The order of the keys is glibc's, too; POSIX leaves it open.
void __ravelin_destroy_values(void) {
    for (int round = 0; round < 4; round++) {
        _Bool again = 0;
        for (unsigned key = 0; key < __ravelin_keys; key++) {
            void *value = __ravelin_values[key];
            if (value == 0) continue;
            void (*destructor)(void *) = __ravelin_destructors[key];
            __ravelin_values[key] = 0;
            if (destructor == 0) continue;
            destructor(value);
            again = 1;
        }
        if (!again) return;
    }
}

//: sem_trywait
int __ravelin_semaphore_trywait(void *semaphore);
void __ravelin_set_errno(int error);
int sem_trywait(void *semaphore) {
    int result = __ravelin_semaphore_trywait(semaphore);
    if (result != 0) __ravelin_set_errno(11); /* EAGAIN */
    return result;
}

//: sem_timedwait sem_clockwait
// glibc looks at the time first, though POSIX would let a semaphore that is free be taken.
int __ravelin_semaphore_trywait(void *semaphore);
int __ravelin_any_int(void);
int sem_wait(void *semaphore);
void __ravelin_set_errno(int error);
int __ravelin_is_deadline(const long *time);
int sem_timedwait(void *semaphore, const void *deadline) {
    if (!__ravelin_is_deadline(deadline)) {
        __ravelin_set_errno(22); /* EINVAL */
        return -1;
    }
    if (__ravelin_semaphore_trywait(semaphore) == 0) return 0;
    if (__ravelin_any_int()) {
        __ravelin_set_errno(110); /* ETIMEDOUT */
        return -1;
    }
    return sem_wait(semaphore);
}
int sem_clockwait(void *semaphore, int clock, const void *deadline) {
    if (clock != 0 && clock != 1) {
        __ravelin_set_errno(22); /* EINVAL */
        return -1;
    }
    return sem_timedwait(semaphore, deadline);
}

//: sem_getvalue
int __ravelin_semaphore_value(void *semaphore);
int sem_getvalue(void *semaphore, int *value) {
    *value = __ravelin_semaphore_value(semaphore);
    return 0;
}
