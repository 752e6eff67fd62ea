// outcomes: 0 error
// verdict: FALSE

#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *arg) {
    int local = x;
    x = local + 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
