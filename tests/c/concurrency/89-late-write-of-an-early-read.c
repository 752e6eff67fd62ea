// outcomes: 0 error
// verdict: FALSE

// The second thread reads x before the first sets it, and writes what it read into y between the write and
// the test of the first.
#include "threads.h"

extern void reach_error(void);

static int x, y;

static void *set_and_test(void *arg) {
    x = 1;
    y = 1;
    if (y != 1) reach_error();
    return arg;
}

static void *copy_and_reset(void *arg) {
    y = x;
    x = 0;
    return arg;
}

int main(void) {
    RUN_BOTH(set_and_test, copy_and_reset);
    return 0;
}
