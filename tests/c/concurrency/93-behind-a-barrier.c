// outcomes: 0 1 2 3
// verdict: TRUE

// What the threads do behind the barrier is in any order, whichever of them was let through first.
#include <pthread.h>

static pthread_barrier_t barrier;
static int x, seen;

static void *write_first(void *arg) {
    pthread_barrier_wait(&barrier);
    x = x + 1;
    return arg;
}

static void *read_later(void *arg) {
    pthread_barrier_wait(&barrier);
    seen = x;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&a, NULL, write_first, NULL);
    pthread_create(&b, NULL, read_later, NULL);
    pthread_barrier_wait(&barrier);
    x = x + 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return x == 2 ? seen : 3;
}
