// outcomes: 3 5 9
// verdict: TRUE

// (1 + 2) * 3, 1 * 3 + 2, or both read 1 and both write 3.
#include "threads.h"

static int x = 1;

static void *worker(void *arg) {
    x *= 3;
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, x += 2);
    return x;
}
