// verdict: TRUE
// As 87, but the pointer is atomic.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int object;
static int *_Atomic instance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int *get(void) {
    int *p = atomic_load(&instance);
    if (!p) {
        pthread_mutex_lock(&m);
        p = atomic_load(&instance);
        if (!p) {
            object = 1;
            p = &object;
            atomic_store(&instance, p);
        }
        pthread_mutex_unlock(&m);
    }
    return p;
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
