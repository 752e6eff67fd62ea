// verdict: FALSE
// A compare-exchange that fails writes the expected value, and not atomically (C11 7.17.7.4p2).
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner = 5;
static int expected;

static void *claim(void *arg) {
    atomic_compare_exchange_strong(&owner, &expected, 1);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, claim, NULL);
    claim(NULL);
    pthread_join(a, NULL);
    return expected - 5;
}
