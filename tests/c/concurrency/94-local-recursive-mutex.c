// outcomes: error
// verdict: FALSE

// A mutex says by its contents that it may be locked again, wherever it is and whoever wrote them.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static void *lock_twice(void *arg) {
    pthread_mutex_t *mutex = arg;
    pthread_mutex_lock(mutex);
    pthread_mutex_lock(mutex);
    assert(0);
    return NULL;
}

int main(void) {
    pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_t thread;
    pthread_create(&thread, NULL, lock_twice, &mutex);
    pthread_join(thread, NULL);
    return 0;
}
