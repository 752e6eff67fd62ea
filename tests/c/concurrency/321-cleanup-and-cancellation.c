// outcomes: 1 2
// verdict: TRUE

// A cancelled thread runs its handlers, the last one first, at the next cancellation point.
#include <assert.h>
#include <pthread.h>

static int x;

static void handler(void *arg) {
    x = 10 * x + (int)(long)arg;
}

static void *worker(void *arg) {
    pthread_cleanup_push(handler, (void *)1);
    pthread_cleanup_push(handler, (void *)2);
    pthread_testcancel();
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED ? x == 21 : x == 1);
    return result == PTHREAD_CANCELED ? 2 : 1;
}
