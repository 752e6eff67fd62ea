// outcomes: 4
// verdict: TRUE

// exit in any thread ends the process; main cannot get past its join.
#include <stdlib.h>
#include "threads.h"

extern void reach_error(void);

static void *worker(void *arg) {
    exit(4);
    return arg;
}

int main(void) {
    RUN(worker);
    reach_error();
    return 0;
}
