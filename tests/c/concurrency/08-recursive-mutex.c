// outcomes: 0
// verdict: TRUE

// The lock is free again only after as many unlocks as locks.
#define _GNU_SOURCE
#include <assert.h>
#include "threads.h"

static pthread_mutex_t lock;
static int x;

static void add(int depth) {
    pthread_mutex_lock(&lock);
    if (depth > 0) add(depth - 1);
    else x++;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
    add(1);
    return arg;
}

int main(void) {
    INIT_MUTEX(lock, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_destroy(&attributes);
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    int before = x;
    add(0);
    assert(x == before + 1);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    assert(x == 2);
    return 0;
}
