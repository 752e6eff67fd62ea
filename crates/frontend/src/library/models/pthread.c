// <pthread.h> and <semaphore.h>: what is more than one operation. No call fails for want of
// resources. pthread_t is unsigned long, and the attribute types that matter begin with an int.

//: pthread_join
void *__ravelin_thread_join(unsigned long thread);
int pthread_join(unsigned long thread, void **result) {
    void *value = __ravelin_thread_join(thread);
    if (result != 0) *result = value;
    return 0;
}

//: pthread_equal
int pthread_equal(unsigned long a, unsigned long b) {
    return a == b;
}

//: pthread_mutexattr_init
int pthread_mutexattr_init(int *kind) {
    *kind = 0;
    return 0;
}

//: pthread_mutexattr_settype
int pthread_mutexattr_settype(int *kind, int type) {
    if (type < 0 || type > 3) return 22; /* EINVAL */
    *kind = type;
    return 0;
}

//: pthread_mutexattr_gettype
int pthread_mutexattr_gettype(const int *kind, int *type) {
    *type = *kind;
    return 0;
}

//: pthread_mutex_init
// The kinds are those of glibc; 3 is a normal mutex that spins for a while.
int __ravelin_mutex_init(void *mutex, int kind);
int pthread_mutex_init(void *mutex, const int *kind) {
    return __ravelin_mutex_init(mutex, kind == 0 || *kind == 3 ? 0 : *kind);
}

//: pthread_spin_init
int __ravelin_mutex_init(void *mutex, int kind);
int pthread_spin_init(void *lock, int shared) {
    return __ravelin_mutex_init(lock, 0);
}

//: pthread_rwlock_timedrdlock
// A lock that is free is taken at once.
int pthread_rwlock_rdlock(void *lock);
int pthread_rwlock_tryrdlock(void *lock);
int __ravelin_any_int(void);
int pthread_rwlock_timedrdlock(void *lock, const void *deadline) {
    if (pthread_rwlock_tryrdlock(lock) == 0) return 0;
    if (__ravelin_any_int()) return 110; /* ETIMEDOUT */
    return pthread_rwlock_rdlock(lock);
}

//: pthread_rwlock_timedwrlock
int pthread_rwlock_wrlock(void *lock);
int pthread_rwlock_trywrlock(void *lock);
int __ravelin_any_int(void);
int pthread_rwlock_timedwrlock(void *lock, const void *deadline) {
    if (pthread_rwlock_trywrlock(lock) == 0) return 0;
    if (__ravelin_any_int()) return 110; /* ETIMEDOUT */
    return pthread_rwlock_wrlock(lock);
}

//: pthread_once
// The object itself serves as the lock, so that whoever comes second waits for the first; it is
// used as a read-write lock because these have no kinds that would be read from its bytes.
int pthread_rwlock_wrlock(void *lock);
int pthread_rwlock_unlock(void *lock);
int pthread_once(int *once, void (*routine)(void)) {
    pthread_rwlock_wrlock(once);
    if (*once == 0) {
        routine();
        *once = 2;
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
int *__errno_location(void);
int sem_trywait(void *semaphore) {
    int result = __ravelin_semaphore_trywait(semaphore);
    if (result != 0) *__errno_location() = 11; /* EAGAIN */
    return result;
}

//: sem_timedwait
int __ravelin_semaphore_trywait(void *semaphore);
int __ravelin_any_int(void);
int sem_wait(void *semaphore);
int *__errno_location(void);
int sem_timedwait(void *semaphore, const void *deadline) {
    if (__ravelin_semaphore_trywait(semaphore) == 0) return 0;
    if (__ravelin_any_int()) {
        *__errno_location() = 110; /* ETIMEDOUT */
        return -1;
    }
    return sem_wait(semaphore);
}

//: sem_getvalue
int __ravelin_semaphore_value(void *semaphore);
int sem_getvalue(void *semaphore, int *value) {
    *value = __ravelin_semaphore_value(semaphore);
    return 0;
}
