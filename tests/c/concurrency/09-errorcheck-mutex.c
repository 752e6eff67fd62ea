// outcomes: 0
// verdict: TRUE

#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include "threads.h"

static pthread_mutex_t lock;

static void *intruder(void *arg) {
    assert(pthread_mutex_unlock(&lock) == EPERM);
    return arg;
}

int main(void) {
    INIT_MUTEX(lock, PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    pthread_t a;
    pthread_create(&a, NULL, intruder, NULL);
    pthread_join(a, NULL);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    return 0;
}
