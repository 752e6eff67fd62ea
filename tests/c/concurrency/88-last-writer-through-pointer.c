// outcomes: 0 error
// verdict: FALSE

// As with plain writes, but one goes through a pointer: that both are to one variable, only what the
// pointer may point to can tell.
#include <assert.h>
#include "threads.h"

static int x;
static int *where = &x;

static void *write_one(void *arg) {
    *where = 1;
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
