// outcomes: 10
// verdict: TRUE

#include "threads.h"

static int x;

static void *child(void *arg) {
    x += 4;
    return arg;
}

static void *parent(void *arg) {
    pthread_t t;
    x = 6;
    pthread_create(&t, NULL, child, NULL);
    pthread_join(t, NULL);
    return arg;
}

int main(void) {
    RUN(parent);
    return x;
}
