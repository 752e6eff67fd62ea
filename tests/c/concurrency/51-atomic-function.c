// outcomes: 2
// verdict: TRUE

// A function whose name starts with __VERIFIER_atomic_ runs in one step.
#include "threads.h"

static int x;

static void __VERIFIER_atomic_increment(void) {
    int local = x;
    local = local + 1;
    x = local;
}

static void *worker(void *arg) {
    __VERIFIER_atomic_increment();
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, __VERIFIER_atomic_increment());
    return x;
}
