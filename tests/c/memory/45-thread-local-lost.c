// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-memtrack

// The thread ends with the only pointer, or the program ends before.
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
    return 0;
}
