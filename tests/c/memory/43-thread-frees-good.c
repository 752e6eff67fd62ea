// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

// The thread frees what main allocated.
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *run(void *a) {
    free(p);
    return a;
}
int main(void) {
    pthread_t t;
    p = malloc(4);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
