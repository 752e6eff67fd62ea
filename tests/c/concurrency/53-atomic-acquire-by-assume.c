// outcomes: 2
// verdict: TRUE

// A lock written as an atomic block with an assumption: a run in which the assumption fails is
// no run at all, so both threads enter one after the other.
#include "threads.h"

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static int locked, x;

static void acquire(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(locked == 0);
    locked = 1;
    __VERIFIER_atomic_end();
}

static void release(void) {
    __VERIFIER_atomic_begin();
    if (locked != 1) reach_error();
    locked = 0;
    __VERIFIER_atomic_end();
}

static void *worker(void *arg) {
    acquire();
    x++;
    release();
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, worker(NULL));
    return x;
}
