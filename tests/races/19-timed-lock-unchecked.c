// verdict: FALSE
// The timed lock may give up; nothing looks at its result before the access.
#include <pthread.h>
#include <time.h>

static int jobs;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    struct timespec end = {1, 0};
    int result = pthread_mutex_timedlock(&m, &end);
    jobs++;
    if (result == 0)
        pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return jobs > 2;
}
