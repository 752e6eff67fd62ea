// verdict: FALSE
// The function that the section calls is called once outside of sections, too.
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
    widen();
    pthread_join(a, NULL);
    return high + low;
}
