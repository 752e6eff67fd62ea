// outcomes: 0 1
// verdict: TRUE

// The section can never be taken, so nobody sees its first half; what comes before it stays visible.
#include <pthread.h>

extern void reach_error(void), __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int x, y;

static void *worker(void *arg) {
    x = 1;
    __VERIFIER_atomic_begin();
    y = 1;
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (y == 1) reach_error();
    return x;
}
