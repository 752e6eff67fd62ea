// outcomes: 0
// verdict: TRUE

#include <assert.h>
#include "threads.h"

static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    int local = x;
    x = local + 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    RUN_BOTH(worker, worker);
    assert(x == 2);
    pthread_mutex_destroy(&lock);
    return 0;
}
