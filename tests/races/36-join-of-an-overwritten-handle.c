// verdict: FALSE
// The second start overwrites the handle, so the first thread is never joined.
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
    pthread_t t, copy;
    pthread_create(&t, NULL, one, NULL);
    pthread_create(&t, NULL, two, NULL);
    copy = t;
    pthread_join(copy, NULL);
    return first + second;
}
