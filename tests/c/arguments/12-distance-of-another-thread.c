// check: valid-arguments
// outcomes: 0 overlapping_copy
// verdict: FALSE

// The distance is as long as the copy in the end, not at the time of each copy.
#include <pthread.h>
#include <string.h>

static char buffer[8];
static int distance = 2;

static void *widen(void *arg) {
    distance = 4;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, widen, 0);
    memcpy(buffer + distance, buffer, 4);
    pthread_join(thread, 0);
    return 0;
}
