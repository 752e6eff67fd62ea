// outcomes: 5
// verdict: TRUE

// The worker's assumption discards every run in which main had not written yet.
#include "threads.h"

extern void __VERIFIER_assume(int);
extern void reach_error(void);

static int x, seen;

static void *worker(void *arg) {
    __VERIFIER_assume(x == 5);
    seen = x;
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, x = 5);
    if (seen != 5) reach_error();
    return seen;
}
