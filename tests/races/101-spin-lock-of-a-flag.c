// verdict: TRUE
// A spin lock made from an atomic_flag.
#include <pthread.h>
#include <stdatomic.h>

static int value;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void *worker(void *arg) {
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        ;
    value++;
    atomic_flag_clear_explicit(&busy, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return value - 2;
}
