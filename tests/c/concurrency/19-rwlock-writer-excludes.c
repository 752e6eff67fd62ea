// outcomes: 0 2
// verdict: TRUE

// A reader never sees the writer's intermediate value, and the same value twice.
#include <pthread.h>

extern void reach_error(void);

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *writer(void *arg) {
    pthread_rwlock_wrlock(&lock);
    x = 1;
    x = 2;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_rwlock_rdlock(&lock);
    int first = x, second = x;
    pthread_rwlock_unlock(&lock);
    if (first != second || first == 1) reach_error();
    pthread_join(t, NULL);
    return first;
}
