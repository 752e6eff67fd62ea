// outcomes: 0 1

// Whether memory may be read depends on when the other thread frees it.
#include <pthread.h>
#include <stdlib.h>

_Bool __CPROVER_r_ok(const void *p, ...);

static int *p;
static void *run(void *a) {
    free(p);
    return a;
}

int main(void) {
    pthread_t t;
    int ok;
    p = malloc(4);
    pthread_create(&t, 0, run, 0);
    ok = __CPROVER_r_ok(p, 4);
    pthread_join(t, 0);
    return ok;
}
