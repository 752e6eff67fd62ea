// verdict: TRUE
// Atomic sections exclude each other, also through a function that only they call.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int low, high;

static void widen(void) {
    low--;
    high++;
}

static void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    widen();
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    __VERIFIER_atomic_begin();
    int span = high - low;
    widen();
    __VERIFIER_atomic_end();
    pthread_join(a, NULL);
    return span % 2;
}
