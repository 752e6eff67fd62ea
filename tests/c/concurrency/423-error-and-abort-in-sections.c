// outcomes: 0 134 error
// verdict: FALSE

// Sections with a loop, in which an error or the end of the program may come after a write that nobody sees.
#include <pthread.h>

extern void reach_error(void), abort(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int x, y;

static void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 2; i++) {
        y = y + 1;
        if (x == 2 * y) reach_error();
    }
    if (x == 1) abort();
    y = 0;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x = 1;
    x = 2;
    return y;
}
