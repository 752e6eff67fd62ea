// outcomes: error
// verdict: FALSE

// The spinning thread comes back to where it was. A search that follows it alone never sees the error.
#include <pthread.h>

extern void reach_error(void);

static int stop, turns;

static void *spin(void *arg) {
    while (!stop) turns = 0;
    return arg;
}

int main(void) {
    pthread_t spinner;
    pthread_create(&spinner, NULL, spin, NULL);
    reach_error();
    return 0;
}
