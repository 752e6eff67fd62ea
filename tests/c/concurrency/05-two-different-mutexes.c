// outcomes: 1 2
// verdict: TRUE

// Each thread holds a lock, but not the same one.
#include <pthread.h>

static int x;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *arg) {
    pthread_mutex_t *mine = arg;
    pthread_mutex_lock(mine);
    x++;
    pthread_mutex_unlock(mine);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, &locks[0]);
    worker(&locks[1]);
    pthread_join(a, NULL);
    return x;
}
