// outcomes: 0
// verdict: TRUE

// Main leaves, and the last thread ends the program as exit(0) does.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x;

static void at_exit(void) {
    assert(x == 1);
}

static void *worker(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    atexit(at_exit);
    pthread_create(&t, NULL, worker, NULL);
    pthread_exit(NULL);
}
