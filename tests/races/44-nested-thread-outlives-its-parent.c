// verdict: FALSE
// The outer thread ends without joining the inner one; main's join covers the outer one only.
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
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, outer, NULL);
    pthread_join(t, NULL);
    return value - 3;
}
