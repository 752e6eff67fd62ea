// outcomes: 2
// verdict: TRUE

#include <stdatomic.h>
#include "threads.h"

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int x;

static void *worker(void *arg) {
    while (atomic_flag_test_and_set(&busy)) continue;
    x++;
    atomic_flag_clear(&busy);
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, worker(NULL));
    return x;
}
