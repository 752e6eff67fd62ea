// outcomes: 0 error
// verdict: FALSE

// x * x reads x twice: 2 * 2, 3 * 3, or 2 * 3 if the write falls in between.
#include <assert.h>
#include "threads.h"

static int x = 2;

static void *worker(void *arg) {
    int square = x * x;
    assert(square == 4 || square == 9);
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, x = 3);
    return 0;
}
