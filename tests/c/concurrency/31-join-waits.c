// outcomes: 7
// verdict: TRUE

#include "threads.h"

static int x;

static void *worker(void *arg) {
    for (int i = 0; i < 7; i++) x++;
    return arg;
}

int main(void) {
    RUN(worker);
    return x;
}
