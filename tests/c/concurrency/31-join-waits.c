// outcomes: 7
// verdict: TRUE

#include <pthread.h>

static int x;

static void *worker(void *arg) {
    for (int i = 0; i < 7; i++) x++;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return x;
}
