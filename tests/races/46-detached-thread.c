// verdict: FALSE
// Nothing orders the end of a detached thread before main's read.
#include <pthread.h>

static int done;

static void *work(void *arg) {
    pthread_detach(pthread_self());
    done = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    return done;
}
