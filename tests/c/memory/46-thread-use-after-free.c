// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-deref

// main may free before the thread reads.
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *run(void *a) {
    int x = *p;
    return x ? a : 0;
}
int main(void) {
    pthread_t t;
    p = calloc(1, 4);
    pthread_create(&t, 0, run, 0);
    free(p);
    pthread_join(t, 0);
    return 0;
}
