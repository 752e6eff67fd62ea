// verdict: FALSE
// bitfield-straddle
#include <pthread.h>

static struct { unsigned a : 20; unsigned b : 20; } g;
static void *t1(void *arg) {
    g.a = 1;
    return arg;
}
static void *t2(void *arg) {
    g.b = 1;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, t1, NULL);
    pthread_create(&b, NULL, t2, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
