// outcomes: 0 error
// verdict: FALSE

#include <pthread.h>

extern void reach_error(void);

static void *worker(void *arg) {
    reach_error();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    return 0;
}
