// outcomes: 1 2
// verdict: TRUE

// x++ is a read and a write: both threads may read 0.
#include "threads.h"

static int x;

static void *worker(void *arg) {
    x++;
    return arg;
}

int main(void) {
    RUN_BOTH(worker, worker);
    return x;
}
