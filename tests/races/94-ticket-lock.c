// verdict: TRUE
// Three threads draw tickets and are served in their order.
#include <pthread.h>
#include <stdatomic.h>

static int value;
static atomic_uint next, serving;

static void *worker(void *arg) {
    unsigned mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine)
        ;
    value++;
    atomic_fetch_add(&serving, 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return value - 3;
}
