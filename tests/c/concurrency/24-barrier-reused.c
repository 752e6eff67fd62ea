// outcomes: 2
// verdict: TRUE

// The barrier is ready for the next phase as soon as all have arrived.
#include <pthread.h>

extern void reach_error(void);

static pthread_barrier_t barrier;
static int phase;

static void *worker(void *arg) {
    pthread_barrier_wait(&barrier);
    if (phase != 1) reach_error();
    pthread_barrier_wait(&barrier);
    phase = 2;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, worker, NULL);
    phase = 1;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    pthread_join(t, NULL);
    return phase;
}
