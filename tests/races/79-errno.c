// verdict: TRUE
// errno is local to each thread (C11 7.5p2).
#include <errno.h>
#include <pthread.h>

static int mark;

static void *worker(void *arg) {
    errno = arg != NULL;
    return errno ? arg : NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, &mark);
    worker(NULL);
    pthread_join(a, NULL);
    return 0;
}
