// verdict: TRUE

// Any number of threads take a lock through a local variable. Handles and counters are numbers that no address went
// into: none of them leads to the variable after its block.
#include <pthread.h>

extern void reach_error(void);
static int lock, inside;

static void __VERIFIER_atomic_exchange(int *at, int *old) {
    *old = *at;
    *at = 1;
}

static void acquire(void) {
    int held;
    __VERIFIER_atomic_exchange(&lock, &held);
    while (held == 1) __VERIFIER_atomic_exchange(&lock, &held);
    if (held == lock) reach_error();
}

static void *worker(void *arg) {
    while (1) {
        acquire();
        inside++;
        if (inside != 1) reach_error();
        inside--;
        lock = 0;
    }
    return arg;
}

int main(void) {
    pthread_t t;
    while (1) pthread_create(&t, 0, worker, 0);
}
