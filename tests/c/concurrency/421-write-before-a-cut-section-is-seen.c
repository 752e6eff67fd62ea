// outcomes: 0 1 error
// verdict: FALSE

// A write before a section that can never be taken.
#include <pthread.h>

#ifndef HOLDS
#define HOLDS x != 1
#define SEEN x
#endif

extern void reach_error(void), __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int x, y;

static void *worker(void *arg) {
    x = 1;
    __VERIFIER_atomic_begin();
    y = 1;
    __VERIFIER_assume(HOLDS);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (SEEN == 1) reach_error();
    return x;
}
