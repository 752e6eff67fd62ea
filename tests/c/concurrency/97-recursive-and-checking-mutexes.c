// outcomes: 3
// verdict: TRUE

// Who has a recursive mutex may lock it again, and has to unlock it as often; one that checks for errors tells
// who locks it twice, and who unlocks what is not theirs.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include "threads.h"

static pthread_mutex_t recursive, checking;
static int shared, refused;

static void *worker(void *arg) {
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    shared++;
    pthread_mutex_unlock(&recursive);
    int before = shared;
    shared++;
    assert(shared == before + 1);
    pthread_mutex_unlock(&recursive);
    if (pthread_mutex_unlock(&checking) == EPERM)
        refused = 1;
    return arg;
}

int main(void) {
    INIT_MUTEX(recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &attributes);
    pthread_mutex_lock(&checking);
    assert(pthread_mutex_lock(&checking) == EDEADLK);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&recursive);
    int now = shared;
    assert(now == 0 || now == 2);
    pthread_mutex_unlock(&recursive);
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&checking);
    return shared + refused;
}
