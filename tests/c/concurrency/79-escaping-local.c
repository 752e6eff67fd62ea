// outcomes: 1 2
// verdict: TRUE

// A local of main is shared once its address reaches another thread.
#include <pthread.h>

static void *worker(void *arg) {
    int *p = arg;
    ++*p;
    return NULL;
}

int main(void) {
    pthread_t t;
    int local = 0;
    pthread_create(&t, NULL, worker, &local);
    local++;
    pthread_join(t, NULL);
    return local;
}
