// outcomes: 1 2
// verdict: TRUE

// One side atomic does not help: main's plain increment spans two steps.
// Both complete: 2. The atomic one falls between main's read and write: 1.
#include "threads.h"

static int x;

static void __VERIFIER_atomic_increment(void) { x++; }

static void *worker(void *arg) {
    __VERIFIER_atomic_increment();
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, x++);
    return x;
}
