// verdict: FALSE
// Any number of threads: the counter is read once more after the unlock.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static unsigned count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    return count > 3 ? arg : NULL;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        pthread_t t;
        pthread_create(&t, NULL, worker, NULL);
    }
    return 0;
}
