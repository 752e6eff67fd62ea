// run: long
// verdict: FALSE

// A copy of two words is two writes: another thread may come between. The pass split-shared-accesses makes them two;
// the outcomes without it are fewer, so that none are listed.
#include <pthread.h>
#include <string.h>

extern void reach_error(void);

static long pair[2];

static void *set(void *arg) {
    static const long both[2] = {1, 1};
    memcpy(pair, both, 2 * sizeof(void *));
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    long first = pair[0], second = pair[1];
    if (first && !second) reach_error();
    pthread_join(thread, 0);
    return 0;
}
