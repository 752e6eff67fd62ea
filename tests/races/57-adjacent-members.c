// verdict: TRUE
// Adjacent members are separate memory locations (C11 3.14p3), even of one byte.
#include <pthread.h>

static struct {
    char left, right;
    unsigned bits : 3;
    unsigned : 0;
    unsigned more : 3;
} pair;

static void *worker(void *arg) {
    pair.left = 1;
    pair.bits = 2;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pair.right = 1;
    pair.more = 2;
    pthread_join(a, NULL);
    return pair.left - pair.right;
}
