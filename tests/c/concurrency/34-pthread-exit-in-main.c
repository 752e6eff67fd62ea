// outcomes: 3
// verdict: TRUE

// pthread_exit ends main's thread only; the process goes on until the worker calls exit.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
    exit(3);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_exit(NULL);
    return 1;
}
