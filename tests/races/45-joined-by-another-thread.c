// verdict: TRUE
// A thread joins the worker; main joins that thread and thereby follows both.
#include <pthread.h>

static int value;
static pthread_t worker;

static void *work(void *arg) {
    value = 5;
    return arg;
}

static void *collect(void *arg) {
    pthread_join(worker, NULL);
    return arg;
}

int main(void) {
    pthread_t c;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&c, NULL, collect, NULL);
    pthread_join(c, NULL);
    value++;
    return value - 6;
}
