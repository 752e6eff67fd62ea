// outcomes: 3 5 9
// verdict: TRUE

// (1 + 2) * 3, 1 * 3 + 2, or both read 1 and both write 3.
#include <pthread.h>

static int x = 1;

static void *worker(void *arg) {
    x *= 3;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x += 2;
    pthread_join(t, NULL);
    return x;
}
