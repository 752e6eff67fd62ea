// THREADS threads add to a counter ROUNDS times each, under one mutex.
//
// No addition is lost, so the sum is known. Every step between lock and unlock excludes the other
// threads; only the order in which they take the lock is open. With WRONG the assertion asks for one
// more than there is.

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter = 0;

static void *adder(void *unused) {
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, adder, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
#ifdef WRONG
    assert(counter == THREADS * ROUNDS + 1);
#else
    assert(counter == THREADS * ROUNDS);
#endif
    return 0;
}
