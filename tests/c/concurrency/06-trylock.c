// outcomes: 1 2
// verdict: TRUE

// Whoever comes while the other holds the lock gives up. At least the first one to try gets it.
#include <pthread.h>

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
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return entered;
}
