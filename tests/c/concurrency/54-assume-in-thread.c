// outcomes: 5
// verdict: TRUE

// The worker's assumption discards every run in which main had not written yet.
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void reach_error(void);

static int x, seen;

static void *worker(void *arg) {
    __VERIFIER_assume(x == 5);
    seen = x;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = 5;
    pthread_join(t, NULL);
    if (seen != 5) reach_error();
    return seen;
}
