// outcomes: 1 2 3
// verdict: TRUE

// Under sequential consistency one of the two writes comes first, so both reads cannot be 0.
#include "threads.h"

extern void reach_error(void);

static int x, y, r1, r2;

static void *worker(void *arg) {
    y = 1;
    r2 = x;
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, x = 1; r1 = y);
    if (r1 == 0 && r2 == 0) reach_error();
    return 2 * r1 + r2;
}
