// outcomes: 0 5 7
// verdict: TRUE

// The worker writes 7 through a pointer published by main, if it is there already: 5 if main
// reads the 7, 7 if the worker writes after main, 0 otherwise.
#include <pthread.h>

static int *published;

static void *worker(void *arg) {
    int *p = published;
    if (p) *p = 7;
    return arg;
}

int main(void) {
    pthread_t t;
    int local = 0, r;
    pthread_create(&t, NULL, worker, NULL);
    published = &local;
    r = local;
    local = r == 7 ? 5 : r;
    pthread_join(t, NULL);
    return local;
}
