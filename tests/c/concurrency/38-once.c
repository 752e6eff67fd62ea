// outcomes: 1
// verdict: TRUE

// Exactly one initialisation, finished before either call returns.
#include "threads.h"

extern void reach_error(void);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int count, finished;

static void initialise(void) {
    count++;
    finished = 1;
}

static void *worker(void *arg) {
    pthread_once(&once, initialise);
    if (!finished) reach_error();
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, worker(NULL));
    return count;
}
