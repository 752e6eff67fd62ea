// verdict: TRUE
// The same variable, with built-ins on both sides while the thread runs.
#include <pthread.h>

static int hits;

static void *worker(void *arg) {
    __atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST);
    __sync_fetch_and_add(&hits, 1);
    return arg;
}

int main(void) {
    pthread_t a;
    hits = 1;
    pthread_create(&a, NULL, worker, NULL);
    int seen = __atomic_load_n(&hits, __ATOMIC_ACQUIRE);
    pthread_join(a, NULL);
    return seen > hits;
}
