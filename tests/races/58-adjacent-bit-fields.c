// verdict: FALSE
// Adjacent bit-fields are one memory location (C11 3.14p3).
#include <pthread.h>

static struct {
    unsigned left : 4;
    unsigned right : 4;
} pair;

static void *worker(void *arg) {
    pair.left = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pair.right = 1;
    pthread_join(a, NULL);
    return pair.left - pair.right;
}
