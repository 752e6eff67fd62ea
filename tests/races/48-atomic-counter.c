// verdict: TRUE
// All accesses to the counter are C11 atomics, in operators and functions.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int hits;

static void *worker(void *arg) {
    hits++;
    atomic_fetch_add_explicit(&hits, 2, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    atomic_init(&hits, 0);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    int seen = atomic_load(&hits);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seen > hits;
}
