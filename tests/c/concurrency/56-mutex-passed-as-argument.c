// outcomes: 2
// verdict: TRUE

// The mutex is a local of main, found through a struct of pointers.
#include <pthread.h>

struct job { pthread_mutex_t *lock; int *counter; };

static void locked_increment(pthread_mutex_t *lock, int *counter) {
    pthread_mutex_lock(lock);
    ++*counter;
    pthread_mutex_unlock(lock);
}

static void *worker(void *arg) {
    struct job *job = arg;
    locked_increment(job->lock, job->counter);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_t lock;
    int counter = 0;
    struct job job = {&lock, &counter};
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, worker, &job);
    locked_increment(&lock, &counter);
    pthread_join(t, NULL);
    return counter;
}
