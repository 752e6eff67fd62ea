// verdict: TRUE
// A helper locks the recursive mutex again; the access follows the inner unlock.
#include <pthread.h>

static int depth, entries;
static pthread_mutex_t m;

static void enter(void) {
    pthread_mutex_lock(&m);
    entries++;
    pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    enter();
    depth++;
    pthread_mutex_unlock(&m);
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
