// outcomes: 0 1 3
// verdict: TRUE

// Who sees the flag sees the data: flag 1 with data 0 (value 2) is impossible.
#include <pthread.h>

static int data, flag;

static void *producer(void *arg) {
    data = 1;
    flag = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    int f = flag;
    int d = data;
    pthread_join(t, NULL);
    return 2 * f + d;
}
