// check: valid-deref,valid-free,valid-memtrack
// outcomes: valid-memtrack

// CWE-401: two threads leave their results at one place, and the first one is lost.
#include <stdlib.h>
#include "../concurrency/threads.h"

#ifndef IS_LATE
#define IS_LATE(result) 0
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *best;

static void *search(void *found) {
    int *result = malloc(sizeof *result);
    *result = 1;
    pthread_mutex_lock(&m);
    if (IS_LATE(result))
        free(result);
    else
        best = result;
    pthread_mutex_unlock(&m);
    return found;
}

int main(void) {
    RUN_BOTH(search, search);
    free(best);
    return 0;
}
