// outcomes: 1 deadlock
// verdict: TRUE

// A recursive mutex that was locked twice and unlocked once stays with its thread.
#define _GNU_SOURCE
#include "threads.h"

static pthread_mutex_t mutex;
static int seen;

static void *worker(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    INIT_MUTEX(mutex, PTHREAD_MUTEX_RECURSIVE);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    seen = 1;
    return seen;
}
