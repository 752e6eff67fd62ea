// verdict: FALSE
// The writer has the read lock only, which excludes no reader.
#include <pthread.h>

static int price;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int seen = price;
    pthread_rwlock_unlock(&lock);
    return seen ? arg : NULL;
}

static void *writer(void *arg) {
    pthread_rwlock_rdlock(&lock);
    price++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
