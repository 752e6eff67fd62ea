// outcomes: 1 2
// verdict: TRUE

// Whoever comes while the other holds the lock gives up. At least the first one to try gets it.
#include "threads.h"

static int entered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    if (pthread_mutex_trylock(&lock) == 0) {
        entered++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, worker(NULL));
    return entered;
}
