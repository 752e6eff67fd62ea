// outcomes: 0 error
// verdict: FALSE

// Checking before announcing lets both in.
#include "threads.h"

extern void reach_error(void);

static int flag[2], inside;

static void enter(int me) {
    while (flag[1 - me]) continue;
    flag[me] = 1;
    inside = me;
    if (inside != me) reach_error();
    flag[me] = 0;
}

static void *worker(void *arg) {
    enter(1);
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, enter(0));
    return 0;
}
