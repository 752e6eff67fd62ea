// verdict: TRUE
// The thread that takes the pointer under the mutex replaces it: the object is its own.
#include <pthread.h>
#include <stddef.h>

static int slot;
static int *current = &slot;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    int *mine = current;
    current = NULL;
    pthread_mutex_unlock(&m);
    if (mine)
        *mine = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return 0;
}
