// outcomes: 2
// verdict: TRUE

// C11 6.5.2.4p2, 6.5.16.2p3: ++ and op= on an atomic object are one read-modify-write.
#include "threads.h"

static _Atomic int x;

static void *worker(void *arg) {
    x++;
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, x += 1);
    return x;
}
