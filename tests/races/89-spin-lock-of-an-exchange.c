// verdict: TRUE
// A spin lock made from an atomic exchange and a release store.
#include <pthread.h>
#include <stdatomic.h>

static int value;
static atomic_int busy;

static void *worker(void *arg) {
    while (atomic_exchange_explicit(&busy, 1, memory_order_acquire))
        ;
    value++;
    atomic_store_explicit(&busy, 0, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return value - 2;
}
