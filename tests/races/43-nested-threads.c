// verdict: TRUE
// A thread starts and joins a thread of its own; main joins the outer one only.
#include <pthread.h>

static int value;

static void *inner(void *arg) {
    value++;
    return arg;
}

static void *outer(void *arg) {
    pthread_t t;
    value++;
    pthread_create(&t, NULL, inner, NULL);
    pthread_join(t, NULL);
    value++;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, outer, NULL);
    pthread_join(t, NULL);
    return value - 3;
}
