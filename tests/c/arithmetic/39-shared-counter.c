// check: no-overflow
// outcomes: 0 signed_overflow
// verdict: FALSE

// Both increments overflow only in sequence: one of them may be lost.
#include <pthread.h>

int counter = 2147483646;

void *increment(void *arg) {
    counter++;
    return arg;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, increment, 0);
    pthread_create(&other, 0, increment, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
