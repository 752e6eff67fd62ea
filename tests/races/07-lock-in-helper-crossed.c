// verdict: FALSE
// As 06, but main locks the mutex of the other variable.
#include <pthread.h>

static int left, right;
static pthread_mutex_t left_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right_lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(pthread_mutex_t *m) {
    pthread_mutex_lock(m);
}

static void leave(pthread_mutex_t *m) {
    pthread_mutex_unlock(m);
}

static void *worker(void *arg) {
    enter(&left_lock);
    left++;
    leave(&left_lock);
    enter(&right_lock);
    right++;
    leave(&right_lock);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    enter(&left_lock);
    right++;
    leave(&left_lock);
    pthread_join(a, NULL);
    return left - right;
}
