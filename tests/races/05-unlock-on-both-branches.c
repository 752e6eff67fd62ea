// verdict: TRUE
// Each branch unlocks after its own access; a flag that holds since the lock decides again later.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int level;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    int locked = __VERIFIER_nondet_int() != 0;
    if (locked)
        pthread_mutex_lock(&guard);
    arg = NULL;
    if (locked) {
        level++;
        pthread_mutex_unlock(&guard);
    }
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
