// outcomes: 0 error
// verdict: FALSE

// x * x reads x twice: 2 * 2, 3 * 3, or 2 * 3 if the write falls in between.
#include <assert.h>
#include <pthread.h>

static int x = 2;

static void *worker(void *arg) {
    int square = x * x;
    assert(square == 4 || square == 9);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = 3;
    pthread_join(t, NULL);
    return 0;
}
