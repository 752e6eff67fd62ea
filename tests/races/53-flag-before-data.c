// verdict: FALSE
// The producer sets the flag before it writes the data.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *arg) {
    atomic_store_explicit(&ready, 1, memory_order_release);
    data = 9;
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
