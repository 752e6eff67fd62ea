// outcomes: deadlock error
// verdict: FALSE

// Three threads meet two by two: one is left waiting, and a thread may go through twice while another that is free
// to go has not gone on yet.
#include <pthread.h>

extern void reach_error(void);

static pthread_barrier_t barrier;
static int first, second;

static void *once(void *arg) {
    pthread_barrier_wait(&barrier);
    if (second == 1) reach_error();
    return arg;
}

static void *twice(void *arg) {
    first = 1;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    second = second + 1;
    return arg;
}

int main(void) {
    pthread_t t[3];
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t[0], NULL, once, NULL);
    pthread_create(&t[1], NULL, twice, NULL);
    pthread_create(&t[2], NULL, twice, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    return 0;
}
