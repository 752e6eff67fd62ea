// outcomes: 1 2
// verdict: TRUE

// x = x + 1 is an atomic load and an atomic store, not an atomic increment.
#include <stdatomic.h>
#include "threads.h"

static atomic_int x;

static void *worker(void *arg) {
    x = x + 1;
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, atomic_store(&x, atomic_load(&x) + 1));
    return x;
}
