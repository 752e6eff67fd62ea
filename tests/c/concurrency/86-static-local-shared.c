// outcomes: 1 2
// verdict: TRUE

// A static local is one object for all threads; an ordinary local is not.
#include "threads.h"

extern void reach_error(void);

static int next(void) {
    static int calls;
    int mine = 0;
    mine++;
    if (mine != 1) reach_error();
    return ++calls;
}

static int last;

static void *worker(void *arg) {
    next();
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, next());
    last = next() - 1;
    return last;
}
