// verdict: TRUE
// open: yes
// Any number of threads; the one that sees 0 in the atomic counter is alone.
#include <pthread.h>
#include <stdatomic.h>

extern unsigned __VERIFIER_nondet_uint(void);

static atomic_uint visitors;
static int prize;

static void *visit(void *arg) {
    if (atomic_fetch_add(&visitors, 1) == 0)
        prize = 1;
    return arg;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 1000;
    for (unsigned i = 0; i < n; i++) {
        pthread_t t;
        pthread_create(&t, NULL, visit, NULL);
    }
    return 0;
}
