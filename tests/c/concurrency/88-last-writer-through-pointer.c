// outcomes: 0 error
// verdict: FALSE

// As with plain writes, but one goes through a pointer: that both are to one variable, only what the
// pointer may point to can tell.
#include <assert.h>
#include <pthread.h>

static int x;
static int *where = &x;

static void *write_one(void *arg) {
    *where = 1;
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
