// outcomes: 0 error
// verdict: FALSE

// Two plain writes of one variable do not commute: either may be the last.
#include <assert.h>
#include <pthread.h>

static int x;

static void *write_one(void *arg) {
    x = 1;
    return arg;
}

static void *write_two(void *arg) {
    x = 2;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, write_one, NULL);
    pthread_create(&two, NULL, write_two, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
