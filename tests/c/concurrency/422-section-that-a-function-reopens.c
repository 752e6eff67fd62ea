// outcomes: 0 1 3
// verdict: TRUE

// A function that is called in the section ends it and begins another: in between, others see the first half.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int x, y;

static void reopen(int depth) {
    if (depth > 0) {
        reopen(depth - 1);
        return;
    }
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
}

static void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    reopen(1);
    x = 2;
    y = 1;
    x = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    __VERIFIER_atomic_begin();
    int a = x, b = y;
    __VERIFIER_atomic_end();
    if (a == 2 || a < b) reach_error();
    return a + 2 * b;
}
