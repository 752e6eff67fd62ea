// outcomes: 1 2
// verdict: TRUE

// x = x + 1 is an atomic load and an atomic store, not an atomic increment.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg) {
    x = x + 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, atomic_load(&x) + 1);
    pthread_join(t, NULL);
    return x;
}
