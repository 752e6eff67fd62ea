// verdict: TRUE
// builtin-clear
#include <pthread.h>

static int d; static char f;
static void *t1(void *arg) {
    if (!__atomic_test_and_set(&f, __ATOMIC_ACQUIRE)) { d++; __atomic_clear(&f, __ATOMIC_RELEASE); }
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
