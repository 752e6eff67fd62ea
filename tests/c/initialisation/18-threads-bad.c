// check: valid-init
// outcomes: 0 uninitialised_read
// verdict: FALSE

// The value is there if the other thread was fast enough.
#include <pthread.h>

static int ready;

static void *signal_ready(void *arg) {
    ready = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    int result;
    pthread_create(&thread, 0, signal_ready, 0);
    if (ready) result = 0;
    pthread_join(thread, 0);
    return result;
}
