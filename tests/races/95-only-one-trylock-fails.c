// verdict: TRUE
// The failed branch holds nothing, but of two threads that try once, at most one can fail.
#include <pthread.h>

static int losers;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *try_once(void *arg) {
    if (pthread_mutex_trylock(&m) != 0)
        losers++;
    else
        pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, try_once, NULL);
    try_once(NULL);
    pthread_join(a, NULL);
    return losers > 1;
}
