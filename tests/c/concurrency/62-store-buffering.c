// outcomes: 1 2 3
// verdict: TRUE

// Under sequential consistency one of the two writes comes first, so both reads cannot be 0.
#include <pthread.h>

extern void reach_error(void);

static int x, y, r1, r2;

static void *worker(void *arg) {
    y = 1;
    r2 = x;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = 1;
    r1 = y;
    pthread_join(t, NULL);
    if (r1 == 0 && r2 == 0) reach_error();
    return 2 * r1 + r2;
}
