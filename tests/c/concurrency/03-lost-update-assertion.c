// outcomes: 0 error
// verdict: FALSE

#include <assert.h>
#include "threads.h"

static int x;

static void *worker(void *arg) {
    int local = x;
    x = local + 1;
    return arg;
}

int main(void) {
    RUN_BOTH(worker, worker);
    assert(x == 2);
    return 0;
}
