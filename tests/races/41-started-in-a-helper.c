// verdict: TRUE
// A helper starts the thread and returns its handle; main waits before it reads.
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
    pthread_join(t, NULL);
    result++;
    return result - 3;
}
