// outcomes: 1 deadlock
// verdict: TRUE

// A recursive mutex that was locked twice and unlocked once stays with its thread.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex;
static int seen;

static void *worker(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    seen = 1;
    return seen;
}
