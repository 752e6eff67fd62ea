// outcomes: 3
// verdict: TRUE

// The wait gives the lock up and takes it again before it returns: the worker can enter, and its
// two writes are seen together.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int x;

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_cond_broadcast(&changed);
    x = 3;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, worker, NULL);
    while (x == 0) pthread_cond_wait(&changed, &lock);
    int seen = x;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return seen;
}
