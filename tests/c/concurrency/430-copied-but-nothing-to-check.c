// verdict: TRUE

// Another thread may see the block half copied, but nothing in the program can be an error.
#include <pthread.h>
#include <stdlib.h>

static void *run(void *arg) {
    *(int *)arg = 1;
    return NULL;
}

int main(void) {
    int *p = malloc(sizeof *p);
    pthread_t t;
    pthread_create(&t, NULL, run, p);
    return realloc(p, sizeof *p) == NULL;
}
