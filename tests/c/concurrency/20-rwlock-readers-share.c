// outcomes: 1 2
// verdict: TRUE

// Two readers may be inside at once; the counter is atomic so that it is exact.
#include "threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int inside;
static int most;

static void *reader(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int now = __sync_add_and_fetch(&inside, 1);
    if (now == 2) most = 2;
    __sync_sub_and_fetch(&inside, 1);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    RUN_BESIDE(reader, reader(NULL));
    return most ? most : 1;
}
