// verdict: FALSE
// The result of trylock is looked at when the lock has been released again: the counter is not protected.
#include <pthread.h>

static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    int failed = pthread_mutex_trylock(&m);
    pthread_mutex_unlock(&m);
    if (failed == 0)
        count++;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
