// outcomes: 1 2
// verdict: TRUE

// Two readers may be inside at once; the counter is atomic so that it is exact.
#include <pthread.h>

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
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    reader(NULL);
    pthread_join(t, NULL);
    return most ? most : 1;
}
