// <threads.h> of C11 over POSIX threads. Results as in glibc: thrd_success 0, thrd_busy 1,
// thrd_error 2, thrd_timedout 4.

//: thrd_join
int pthread_join(unsigned long thread, void **result);
int thrd_join(unsigned long thread, int *result) {
    void *value = 0;
    if (pthread_join(thread, &value) != 0) return 2;
    if (result != 0) *result = (int)(long)value;
    return 0;
}

//: thrd_detach
int pthread_detach(unsigned long thread);
int thrd_detach(unsigned long thread) {
    return pthread_detach(thread);
}

//: thrd_equal
int thrd_equal(unsigned long a, unsigned long b) {
    return a == b;
}

//: mtx_init
// The type is mtx_plain 0 or mtx_timed 2, and mtx_recursive 1 with either.
int __ravelin_mutex_init(void *mutex, int kind);
int mtx_init(void *mutex, int type) {
    if (type < 0 || type > 3) return 2;
    return __ravelin_mutex_init(mutex, type & 1);
}

//: mtx_trylock
int pthread_mutex_trylock(void *mutex);
int mtx_trylock(void *mutex) {
    return pthread_mutex_trylock(mutex) == 0 ? 0 : 1;
}

//: mtx_timedlock
int pthread_mutex_timedlock(void *mutex, const void *deadline);
int mtx_timedlock(void *mutex, const void *deadline) {
    int result = pthread_mutex_timedlock(mutex, deadline);
    return result == 0 ? 0 : result == 110 ? 4 : 2;
}

//: cnd_timedwait
int pthread_cond_timedwait(void *condition, void *mutex, const void *deadline);
int cnd_timedwait(void *condition, void *mutex, const void *deadline) {
    int result = pthread_cond_timedwait(condition, mutex, deadline);
    return result == 0 ? 0 : result == 110 ? 4 : 2;
}

//: call_once
int pthread_once(int *once, void (*routine)(void));
void call_once(int *flag, void (*routine)(void)) {
    pthread_once(flag, routine);
}

//: tss_create
int pthread_key_create(unsigned *key, void (*destructor)(void *));
int tss_create(unsigned *key, void (*destructor)(void *)) {
    return pthread_key_create(key, destructor) == 0 ? 0 : 2;
}

//: tss_delete
int pthread_key_delete(unsigned key);
void tss_delete(unsigned key) {
    pthread_key_delete(key);
}

//: tss_set
int pthread_setspecific(unsigned key, const void *value);
int tss_set(unsigned key, void *value) {
    return pthread_setspecific(key, value) == 0 ? 0 : 2;
}

//: tss_get
void *pthread_getspecific(unsigned key);
void *tss_get(unsigned key) {
    return pthread_getspecific(key);
}
