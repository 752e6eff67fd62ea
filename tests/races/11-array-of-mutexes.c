// verdict: TRUE
// Element i of the data belongs to element i of an array of mutexes.
#include <pthread.h>

static int cells[2];
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&locks[i]);
        cells[i]++;
        pthread_mutex_unlock(&locks[i]);
    }
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return 0;
}
