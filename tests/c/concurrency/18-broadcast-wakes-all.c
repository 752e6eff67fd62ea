// outcomes: 2
// verdict: TRUE

#include <pthread.h>

#ifndef WAKE
#define WAKE pthread_cond_broadcast
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open = PTHREAD_COND_INITIALIZER;
static int is_open, passed;

static void *waiter(void *arg) {
    pthread_mutex_lock(&lock);
    while (!is_open) pthread_cond_wait(&open, &lock);
    passed++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    is_open = 1;
    WAKE(&open);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return passed;
}
