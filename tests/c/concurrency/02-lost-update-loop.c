// outcomes: 2 3 4
// verdict: TRUE

// Two increments each. 4: no update lost. 2: a reads 0, b finishes one round (1), a writes 1,
// b reads 1, a finishes its second round (2), b writes 2. 1 is impossible: every write is at least
// 1, so the second round of the thread that writes last reads at least 1.
#include "threads.h"

static int x;

static void *worker(void *arg) {
    for (int i = 0; i < 2; i++) x++;
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, worker(NULL));
    return x;
}
