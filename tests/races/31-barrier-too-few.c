// verdict: FALSE
// The barrier waits for two threads, but three use it: the pair need not be the right one.
#include <pthread.h>

static int value;
static pthread_barrier_t phase;

static void *writer(void *arg) {
    value = 1;
    pthread_barrier_wait(&phase);
    return arg;
}

static void *reader(void *arg) {
    pthread_barrier_wait(&phase);
    return value ? arg : NULL;
}

static void *bystander(void *arg) {
    pthread_barrier_wait(&phase);
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_create(&c, NULL, bystander, NULL);
    pthread_join(b, NULL);
    return 0;
}
