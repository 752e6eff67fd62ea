// outcomes: 0 error
// verdict: FALSE

// Each reading is whole, but the struct may change between two of them.
#include <pthread.h>

extern void reach_error(void);
struct pair { int a, b; };
static _Atomic struct pair shared;

static void *writer(void *arg) {
    struct pair both = {1, 1};
    shared = both;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    struct pair first = shared;
    struct pair second = shared;
    if (first.a != second.b) reach_error();
    pthread_join(t, 0);
    return 0;
}
