// outcomes: 0 1 2 9
// verdict: TRUE

// x = y + z is two reads and a write, with other threads in between. All writes of the other
// thread happen at once: before both reads 2, between them 1, after them but before the write 0,
// after the write 9.
#include "threads.h"

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x, y, z;

static void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    y = 1;
    z = 1;
    x = 9;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, x = y + z);
    return x;
}
