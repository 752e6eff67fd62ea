// verdict: FALSE
// free counts as a write of the whole block (C11 7.22.3p2); the reader may come before it.
#include <pthread.h>
#include <stdlib.h>

static void *reader(void *arg) {
    int *p = arg;
    return *p ? arg : NULL;
}

int main(void) {
    pthread_t a;
    int *p = malloc(sizeof *p);
    *p = 1;
    pthread_create(&a, NULL, reader, p);
    free(p);
    pthread_join(a, NULL);
    return 0;
}
