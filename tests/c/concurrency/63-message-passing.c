// outcomes: 0 1 3
// verdict: TRUE

// Who sees the flag sees the data: flag 1 with data 0 (value 2) is impossible.
#include "threads.h"

#ifndef READ
#define READ int f = flag; int d = data
#endif

static int data, flag;

static void *producer(void *arg) {
    data = 1;
    flag = 1;
    return arg;
}

int main(void) {
    RUN_BESIDE(producer, READ);
    return 2 * f + d;
}
