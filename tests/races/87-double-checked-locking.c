// verdict: FALSE
// The first check reads the pointer without the mutex.
#include <pthread.h>
#include <stddef.h>

static int object;
static int *instance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int *get(void) {
    if (!instance) {
        pthread_mutex_lock(&m);
        if (!instance) {
            object = 1;
            instance = &object;
        }
        pthread_mutex_unlock(&m);
    }
    return instance;
}

static void *worker(void *arg) {
    return *get() ? arg : NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return 0;
}
