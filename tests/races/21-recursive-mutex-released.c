// verdict: FALSE
// The helper unlocks twice, so the last access of the worker holds nothing.
#include <pthread.h>

static int depth, entries;
static pthread_mutex_t m;

static void leave(void) {
    pthread_mutex_unlock(&m);
    entries++;
    pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    leave();
    depth++;
    return arg;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_t a;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return depth != entries;
}
