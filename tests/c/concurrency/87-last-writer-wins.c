// outcomes: 0 error
// verdict: FALSE

// Two plain writes of one variable do not commute: either may be the last.
#include <assert.h>
#include "threads.h"

static int x;

static void *write_one(void *arg) {
    x = 1;
    return arg;
}

static void *write_two(void *arg) {
    x = 2;
    return arg;
}

int main(void) {
    RUN_BOTH(write_one, write_two);
    assert(x == 2);
    return 0;
}
