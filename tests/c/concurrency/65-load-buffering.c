// outcomes: 0 1 2
// verdict: TRUE

// Both reads precede both writes in program order, so they cannot both be 1.
#include "threads.h"

static int x, y, r2;

static void *worker(void *arg) {
    r2 = y;
    x = 1;
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, int r1 = x; y = 1);
    return 2 * r1 + r2;
}
