// check: valid-init
// outcomes: 0 1
// verdict: TRUE

// A local of each thread, guarded by one read of what they share.
#include <pthread.h>

static int ready, seen;

static void *watch(void *arg) {
    int value, was_ready = ready;
    if (was_ready) value = 1;
    if (was_ready) seen = value;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, watch, 0);
    ready = 1;
    pthread_join(thread, 0);
    return seen;
}
