// outcomes: 1 2
// verdict: TRUE

// Both threads may find the pointer null and allocate.
#include <stdlib.h>
#include "threads.h"

static int *instance;
static int allocations;

static int *get(void) {
    if (!instance) {
        int *fresh = malloc(sizeof *fresh);
        __sync_fetch_and_add(&allocations, 1);
        *fresh = 1;
        instance = fresh;
    }
    return instance;
}

static void *worker(void *arg) {
    *get() = 2;
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, get());
    return allocations;
}
