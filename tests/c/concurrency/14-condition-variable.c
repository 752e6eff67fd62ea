// outcomes: 5
// verdict: TRUE

// Wait in a loop with the predicate under the lock: no wake-up is lost.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int full, data;

static void *producer(void *arg) {
    pthread_mutex_lock(&lock);
    data = 5;
    full = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    pthread_mutex_lock(&lock);
    while (!full) pthread_cond_wait(&ready, &lock);
    int seen = data;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return seen;
}
