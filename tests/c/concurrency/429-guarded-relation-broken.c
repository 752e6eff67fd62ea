// run: long
// verdict: FALSE

// As 428, but the relation is broken for a moment in which the mutex is free.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int capacity, used, left;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;

static void check(void) {
    assert(used >= 0 && left >= 0 && used <= capacity);
    assert(used + left == capacity);
}

static void *put(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (left == 0)
            pthread_cond_wait(&full, &m);
        left--;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        used++;
        check();
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    capacity = __VERIFIER_nondet_int();
    if (capacity < 0)
        return 0;
    left = capacity;
    pthread_t t;
    pthread_create(&t, NULL, put, NULL);
    pthread_create(&t, NULL, put, NULL);
    for (;;) {
        pthread_mutex_lock(&m);
        check();
        if (used > 0) {
            used--;
            left++;
            pthread_cond_signal(&full);
        }
        pthread_mutex_unlock(&m);
    }
}
