// outcomes: 1 2 3
// verdict: TRUE

// The child outlives its parent; main joins only the parent.
// Main reads x as 1 (child not run), 2 (between the child's writes) or 3.
#include "threads.h"

static int x;

static void *child(void *arg) {
    x = 2;
    x = 3;
    return arg;
}

static void *parent(void *arg) {
    pthread_t t;
    x = 1;
    pthread_create(&t, NULL, child, NULL);
    return arg;
}

int main(void) {
    RUN(parent);
    return x;
}
