// verdict: FALSE
// Main joins one thread of two and reads what the other wrote.
#include <pthread.h>

static int first, second;

static void *one(void *arg) {
    first = 1;
    return arg;
}

static void *two(void *arg) {
    second = 2;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    return first + second;
}
