// outcomes: 0
// verdict: TRUE

// A block that another thread had is copied; who could see it half done does not matter, as nothing in the program can be an
// error.
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
    pthread_join(t, NULL);
    p = realloc(p, 2 * sizeof *p);
    free(p);
    return 0;
}
