// outcomes: deadlock error
// verdict: FALSE

// A thread that completes the barrier inside an atomic section lets the other one go; if it comes first, it waits there
// for ever, and nobody else moves.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static pthread_barrier_t barrier;

static void *worker(void *arg) {
    pthread_barrier_wait(&barrier);
    reach_error();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, worker, NULL);
    __VERIFIER_atomic_begin();
    pthread_barrier_wait(&barrier);
    __VERIFIER_atomic_end();
    pthread_join(t, NULL);
    return 0;
}
