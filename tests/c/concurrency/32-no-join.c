// outcomes: 0 1 2
// verdict: TRUE

// Returning from main ends the process wherever the other thread stands.
#include <pthread.h>

static int x;

static void *worker(void *arg) {
    x = 1;
    x = 2;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    return x;
}
