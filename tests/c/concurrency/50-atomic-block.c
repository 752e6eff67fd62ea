// outcomes: 0 2
// verdict: TRUE

// The other thread's two writes happen in one step.
#include "threads.h"

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    x = 2;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, int seen = x);
    return seen;
}
