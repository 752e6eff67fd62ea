// check: valid-arithmetic
// outcomes: 0 division_by_zero

// CWE-369: a clock is stopped after it was seen to go and before it is divided by.
#include "../concurrency/threads.h"

#ifndef ENTER
#define ENTER
#define LEAVE
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int interval = 20;

static void *stop(void *unused) {
    pthread_mutex_lock(&lock);
    interval = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

static int ticks(void) {
    int seen = 0;
    ENTER;
    if (interval > 0) seen = 1000 / interval;
    LEAVE;
    return seen;
}

int main(void) {
    int seen;
    RUN_BESIDE(stop, seen = ticks());
    return seen != 0 && seen != 50;
}
