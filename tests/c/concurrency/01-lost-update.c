// outcomes: 1 2
// verdict: TRUE

// x++ is a read and a write: both threads may read 0.
#include <pthread.h>

static int x;

static void *worker(void *arg) {
    x++;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return x;
}
