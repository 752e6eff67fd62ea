// verdict: FALSE
// A volatile flag is not atomic: the flag itself races.
#include <pthread.h>

static int data;
static volatile int ready;

static void *producer(void *arg) {
    data = 9;
    ready = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, producer, NULL);
    while (!ready)
        ;
    int got = data;
    pthread_join(a, NULL);
    return got - 9;
}
