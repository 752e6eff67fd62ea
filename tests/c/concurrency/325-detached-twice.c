// run: undefined

// POSIX: the second detaching is undefined.
#include <pthread.h>

static void *worker(void *arg) {
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    return pthread_detach(t);
}
