// outcomes: 0
// verdict: TRUE

// glibc tells the thread that holds a lock to write that it would wait for itself; others wait.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *reader(void *arg) {
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(x != 1);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    assert(pthread_rwlock_wrlock(&lock) == 0);
    x = 1;
    assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
    assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
    x = 2;
    pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
