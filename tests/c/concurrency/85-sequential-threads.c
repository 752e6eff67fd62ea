// outcomes: 3
// verdict: TRUE

// One handle used again after its join; never two threads at a time.
#include <pthread.h>

static int x;

static void *worker(void *arg) {
    x++;
    return arg;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        if (pthread_create(&t, NULL, worker, NULL) != 0) return 100;
        if (pthread_join(t, NULL) != 0) return 101;
    }
    return x;
}
