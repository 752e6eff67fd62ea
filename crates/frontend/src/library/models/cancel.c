// Clean-up handlers and cancellation of threads.

//: __ravelin_cleanup_push __ravelin_cleanup_pop __ravelin_run_cleanups
// What pthread_cleanup_push and pthread_cleanup_pop of glibc do to the handlers of a thread. The macros themselves call the
// handler that is popped.
void __ravelin_unsupported(const char *why);
static _Thread_local void (*__ravelin_cleanups[8])(void *);
static _Thread_local void *__ravelin_cleanup_arguments[8];
static _Thread_local unsigned __ravelin_cleanup_count;
void __ravelin_cleanup_push(void (*handler)(void *), void *argument) {
    if (__ravelin_cleanup_count >= 8) __ravelin_unsupported("more than 8 clean-up handlers at a time");
    __ravelin_cleanups[__ravelin_cleanup_count] = handler;
    __ravelin_cleanup_arguments[__ravelin_cleanup_count] = argument;
    __ravelin_cleanup_count++;
}
void __ravelin_cleanup_pop(void) {
    __ravelin_cleanup_count--;
}
// Called where a thread ends by pthread_exit or is cancelled.
void __ravelin_run_cleanups(void) {
    while (__ravelin_cleanup_count > 0) {
        __ravelin_cleanup_count--;
        __ravelin_cleanups[__ravelin_cleanup_count](__ravelin_cleanup_arguments[__ravelin_cleanup_count]);
    }
}

//: pthread_cancel pthread_setcancelstate pthread_setcanceltype pthread_testcancel __ravelin_may_cancel
// Requests are kept by the handles of threads, which are numbered from 1. They are acted on at cancellation points.
void __ravelin_unsupported(const char *why);
void __ravelin_undefined(const char *what);
int __ravelin_any_int(void);
unsigned long pthread_self(void);
void pthread_exit(void *value);
static unsigned char __ravelin_requests[64];
static _Thread_local int __ravelin_cancel_disabled;
static _Thread_local int __ravelin_cancel_type;
int pthread_cancel(unsigned long thread) {
    if (thread == 0) __ravelin_undefined("cancelling what is no thread");
    if (thread == 1) __ravelin_unsupported("cancellation of the main thread");
    if (thread >= 64) __ravelin_unsupported("more than 63 threads, in a program that cancels some");
    __ravelin_requests[thread] = 1;
    return 0;
}
// PTHREAD_CANCEL_ENABLE 0, PTHREAD_CANCEL_DISABLE 1.
int pthread_setcancelstate(int state, int *old) {
    if (state != 0 && state != 1) return 22; /* EINVAL */
    if (old != 0) *old = __ravelin_cancel_disabled;
    __ravelin_cancel_disabled = state;
    return 0;
}
// PTHREAD_CANCEL_DEFERRED 0, PTHREAD_CANCEL_ASYNCHRONOUS 1.
int pthread_setcanceltype(int type, int *old) {
    if (type != 0 && type != 1) return 22; /* EINVAL */
    if (type == 1) __ravelin_unsupported("asynchronous cancellation");
    if (old != 0) *old = __ravelin_cancel_type;
    __ravelin_cancel_type = type;
    return 0;
}
void pthread_testcancel(void) {
    unsigned long self = pthread_self();
    if (__ravelin_cancel_disabled || self >= 64 || !__ravelin_requests[self]) return;
    __ravelin_cancel_disabled = 1;
    pthread_exit((void *)-1); /* PTHREAD_CANCELED */
}
// Some functions may be cancellation points or not.
void __ravelin_may_cancel(void) {
    if (__ravelin_any_int()) pthread_testcancel();
}

//: __ravelin_cancellable_wait
// A wait for a condition variable may end at any time (POSIX), so that a request is seen; the mutex is locked again
// before handlers run.
void pthread_testcancel(void);
int pthread_mutex_lock(void *mutex);
int pthread_mutex_unlock(void *mutex);
int __ravelin_cancellable_wait(void *condition, void *mutex) {
    int error;
    pthread_testcancel();
    error = pthread_mutex_unlock(mutex);
    if (error != 0) return error;
    pthread_mutex_lock(mutex);
    pthread_testcancel();
    return 0;
}

//: __ravelin_cancellable_timed_wait
int __ravelin_any_int(void);
int __ravelin_cancellable_wait(void *condition, void *mutex);
int __ravelin_cancellable_timed_wait(void *condition, void *mutex) {
    int error = __ravelin_cancellable_wait(condition, mutex);
    return error == 0 && __ravelin_any_int() ? 110 : error; /* ETIMEDOUT */
}

//: __ravelin_cancellable_sem_wait
void pthread_testcancel(void);
int __ravelin_semaphore_trywait(void *semaphore);
int __ravelin_cancellable_sem_wait(void *semaphore) {
    do {
        pthread_testcancel();
    } while (__ravelin_semaphore_trywait(semaphore) != 0);
    return 0;
}

//: __ravelin_check_cancellable_join
// A thread that waits for another would have to wake up.
void __ravelin_unsupported(const char *why);
unsigned long pthread_self(void);
void __ravelin_check_cancellable_join(void) {
    if (pthread_self() != 1) __ravelin_unsupported("a join by a thread that may be cancelled");
}
