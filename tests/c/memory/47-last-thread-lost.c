// check: valid-deref,valid-free,valid-memtrack
// outcomes: valid-memtrack

// main ends as a thread, and the last thread loses its memory.
#include <pthread.h>
#include <stdlib.h>
static void *run(void *a) {
    int *p = malloc(4);
    *p = 1;
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_exit(0);
    return 0;
}
