// The counter of lost_update.c, now guarded by a mutex.
//
// Only one thread at a time is between lock and unlock, so no addition is lost, in whatever order
// the threads run.
//
// Expected: Verdict: TRUE

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int counter = 0;
static pthread_mutex_t counter_lock = PTHREAD_MUTEX_INITIALIZER;

static void *increment(void *unused) {
    (void)unused;
    pthread_mutex_lock(&counter_lock);
    counter++;
    pthread_mutex_unlock(&counter_lock);
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
