// verdict: TRUE
// flag-clear
#include <pthread.h>
#include <stdatomic.h>

static int d; static atomic_flag f = ATOMIC_FLAG_INIT;
static void *t1(void *arg) {
    if (!atomic_flag_test_and_set(&f)) { d++; atomic_flag_clear(&f); }
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
