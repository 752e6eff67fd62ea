// outcomes: 2
// verdict: TRUE

// Same order everywhere: no deadlock; releasing in another order does no harm.
#include "threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&a);
    x++;
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, worker(NULL));
    return x;
}
