// outcomes: 12
// verdict: TRUE

// Each thread retries until its update lands on an unchanged value, so none is lost.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *arg) {
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_strong(&x, &old, old + *(int *)arg)) continue;
    return arg;
}

int main(void) {
    pthread_t t;
    int four = 4, eight = 8;
    pthread_create(&t, NULL, add, &four);
    add(&eight);
    pthread_join(t, NULL);
    return x;
}
