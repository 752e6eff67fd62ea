// outcomes: 0 1 error
// verdict: FALSE

// The check and the use read x separately.
#include <pthread.h>

extern void reach_error(void);

static int x = 1;

static void *worker(void *arg) {
    x = 0;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int r = 0;
    if (x == 1) {
        r = 1;
        if (x != 1) reach_error();
    }
    pthread_join(t, NULL);
    return r;
}
