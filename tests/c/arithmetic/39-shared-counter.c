// check: no-overflow
// outcomes: 0 signed_overflow
// verdict: FALSE

// Both increments overflow only in sequence: one of them may be lost.
#include "../concurrency/threads.h"

int counter = 2147483646;

void *increment(void *arg) {
    counter++;
    return arg;
}

int main(void) {
    RUN_BOTH(increment, increment);
    return 0;
}
