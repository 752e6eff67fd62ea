// verdict: FALSE
// Atomic built-ins on one side do not help if the other side reads the plain variable.
#include <pthread.h>

static int hits;

static void *worker(void *arg) {
    __atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    int seen = hits;
    pthread_join(a, NULL);
    return seen > 1;
}
