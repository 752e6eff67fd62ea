// outcomes: 0
// verdict: TRUE

// C11 6.2.6.1p9: an atomic struct is read and written as a whole, by plain assignments too.
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; };
static _Atomic struct pair shared;

static void *writer(void *arg) {
    struct pair both = {1, 1};
    shared = both;
    return arg;
}

static struct pair get(void) { return shared; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    struct pair seen = shared, again;
    assert(seen.a == seen.b);
    again = get();
    assert(again.a == again.b && again.a >= seen.a);
    pthread_join(t, 0);
    return 0;
}
