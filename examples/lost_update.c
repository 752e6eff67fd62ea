// Two threads add to a shared counter without a lock.
//
// `counter++` reads, adds and writes back. When both threads read before either writes, one of the
// additions is lost and the assertion fails. Compiled and run, the program nearly always looks
// correct; the verifier looks at every interleaving.
//
//     ./ravelin examples/lost_update.c
//
// Expected: Verdict: FALSE(unreach-call)
// See lost_update_fixed.c for the repaired program.

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int counter = 0;

static void *increment(void *unused) {
    (void)unused;
    counter++;
    return NULL;
}

int main(void) {
    pthread_t first, second;

    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);

    assert(counter == 2);
    return 0;
}
