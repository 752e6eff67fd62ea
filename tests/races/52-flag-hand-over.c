// verdict: TRUE
// A release store of the flag that an acquire load sees orders the data.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *arg) {
    data = 9;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, producer, NULL);
    int got = 9;
    if (atomic_load_explicit(&ready, memory_order_acquire))
        got = data;
    pthread_join(a, NULL);
    return got - 9;
}
