// THREADS threads add to a counter ROUNDS times each, without a lock.
//
// An addition reads and then writes, so additions are lost: the sum is at most THREADS * ROUNDS. It is
// at least 1, and at least 2 if there are several rounds: whoever writes last has read in its last
// round, after it wrote in the one before, and the counter is never 0 again after the first write. The
// least is met in few orders only. Nearly every step depends on those of all other threads, so hardly
// any order can be left out. With WRONG the assertion asks for more than the least.

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#if ROUNDS == 1
#define LEAST 1
#else
#define LEAST 2
#endif

static int counter = 0;

static void *adder(void *argument) {
    int *shared = argument;
    for (int round = 0; round < ROUNDS; round++) {
        int seen = *shared;
        *shared = seen + 1;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, adder, &counter);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
#ifdef WRONG
    assert(counter > LEAST);
#else
    assert(counter >= LEAST && counter <= THREADS * ROUNDS);
#endif
    return 0;
}
