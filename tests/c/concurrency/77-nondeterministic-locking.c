// outcomes: 1 2
// verdict: TRUE

// If the input says so both lock, and no update is lost; otherwise one may be.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Bool use_lock;
static int x;

static void *worker(void *arg) {
    if (use_lock) pthread_mutex_lock(&lock);
    x++;
    if (use_lock) pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    use_lock = __VERIFIER_nondet_bool();
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    if (use_lock && x != 2) reach_error();
    return x;
}
