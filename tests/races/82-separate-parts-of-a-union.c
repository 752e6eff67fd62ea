// verdict: TRUE
// The parts of the members that the threads use do not overlap.
#include <pthread.h>

static union {
    struct {
        short low, high;
    } halves;
    char bytes[4];
} u;

static void *worker(void *arg) {
    u.bytes[2] = 1;
    u.bytes[3] = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    int seen = u.halves.low;
    u.bytes[1] = 4;
    pthread_join(a, NULL);
    return seen;
}
