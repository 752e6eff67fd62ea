// verdict: TRUE
// once-c11
#include <pthread.h>
#include <threads.h>

static int x; static once_flag o = ONCE_FLAG_INIT; static void f(void) { x = 1; }
static void *t1(void *arg) {
    call_once(&o, f); if (x) arg = 0;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, t1, NULL);
    pthread_create(&b, NULL, t1, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
