// outcomes: 4
// verdict: TRUE

// exit in any thread ends the process; main cannot get past its join.
#include <pthread.h>
#include <stdlib.h>

extern void reach_error(void);

static void *worker(void *arg) {
    exit(4);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    reach_error();
    return 0;
}
