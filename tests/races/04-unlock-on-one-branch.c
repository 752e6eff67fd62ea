// verdict: FALSE
// One branch unlocks before the access that both branches share.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int level;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    int early = __VERIFIER_nondet_int();
    pthread_mutex_lock(&guard);
    if (early)
        pthread_mutex_unlock(&guard);
    level++;
    if (!early)
        pthread_mutex_unlock(&guard);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
