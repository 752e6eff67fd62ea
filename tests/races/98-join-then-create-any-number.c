// verdict: TRUE
// open: yes
// As 40, with any number of rounds.
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned rounds;

static void *step(void *arg) {
    rounds++;
    return arg;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++) {
        pthread_t t;
        rounds++;
        pthread_create(&t, NULL, step, NULL);
        pthread_join(t, NULL);
    }
    return 0;
}
