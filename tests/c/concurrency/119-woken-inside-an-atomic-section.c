// run: long
// verdict: FALSE

// A wait may end without reason (POSIX), also where no other thread can move.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    __VERIFIER_atomic_begin();
    pthread_cond_wait(&cond, &mutex);
    reach_error();
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_join(thread, 0);
    return 0;
}
