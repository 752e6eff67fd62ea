// outcomes: 0 8 invalid-memory

// The worker may free between main's check and its read.
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *worker(void *arg) {
    int *p = shared;
    shared = NULL;
    free(p);
    return arg;
}

int main(void) {
    pthread_t t;
    int r = 0;
    shared = malloc(sizeof *shared);
    *shared = 8;
    pthread_create(&t, NULL, worker, NULL);
    int *p = shared;
    if (p) r = *p;
    pthread_join(t, NULL);
    return r;
}
