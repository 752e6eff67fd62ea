// verdict: TRUE
// open: yes
// Any number of threads; each gets a heap object of its own.
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static void *consume(void *arg) {
    unsigned *mine = arg;
    ++*mine;
    free(mine);
    return NULL;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++) {
        pthread_t t;
        unsigned *fresh = malloc(sizeof *fresh);
        *fresh = i;
        pthread_create(&t, NULL, consume, fresh);
        pthread_detach(t);
    }
    return 0;
}
