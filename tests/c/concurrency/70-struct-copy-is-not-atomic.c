// outcomes: 0 1 2
// verdict: TRUE

// The pair is written in one step but copied member by member.
#include "threads.h"

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct pair { int a, b; };
static struct pair shared;

static void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    shared.a = 1;
    shared.b = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, struct pair copy = shared);
    return copy.a + copy.b;
}
