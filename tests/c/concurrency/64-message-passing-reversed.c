// outcomes: 0 1 2 3
// verdict: TRUE

// Reading the data first makes all four combinations possible.
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
    int d = data;
    int f = flag;
    pthread_join(t, NULL);
    return 2 * f + d;
}
