// check: valid-memcleanup
// outcomes: 0 valid-memcleanup

// The program may end before the thread frees.
#include <pthread.h>
#include <stdlib.h>
static void *run(void *a) {
    int *p = malloc(4);
    free(p);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    return 0;
}
