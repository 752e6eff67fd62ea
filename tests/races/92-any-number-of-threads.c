// verdict: TRUE
// Any number of threads share a counter under a mutex.
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++) {
        pthread_t t;
        pthread_create(&t, NULL, worker, NULL);
    }
    return 0;
}
