// outcomes: 11
// verdict: TRUE

// After the barrier each thread sees what the other wrote before it; exactly one of them gets the
// serial return value.
#include <pthread.h>

extern void reach_error(void);

static pthread_barrier_t barrier;
static int a, b, serial;

static void *worker(void *arg) {
    a = 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        __sync_fetch_and_add(&serial, 1);
    if (b != 10) reach_error();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, worker, NULL);
    b = 10;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        __sync_fetch_and_add(&serial, 1);
    int sum = a + b;
    pthread_join(t, NULL);
    if (serial != 1) reach_error();
    pthread_barrier_destroy(&barrier);
    return sum;
}
