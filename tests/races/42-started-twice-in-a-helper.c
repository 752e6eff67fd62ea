// verdict: FALSE
// The helper is called twice before the first join.
#include <pthread.h>

static int result;

static void *run(void *arg) {
    result++;
    return arg;
}

static pthread_t launch(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    return t;
}

int main(void) {
    result = 1;
    pthread_t t = launch();
    pthread_t u = launch();
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return result - 3;
}
