// outcomes: 2
// verdict: TRUE

// Correct under sequential consistency. Waiting loops give infinite runs but no other outcome.
#include "threads.h"

static int flag[2], turn, x;

static void enter(int me) {
    flag[me] = 1;
    turn = 1 - me;
    while (flag[1 - me] && turn == 1 - me) continue;
    x++;
    flag[me] = 0;
}

static void *worker(void *arg) {
    enter(1);
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, enter(0));
    return x;
}
