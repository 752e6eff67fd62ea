// verdict: FALSE
// After the barrier one thread changes its half again, while the other reads it.
#include <pthread.h>

static int half[2];
static pthread_barrier_t phase;

static void *worker(void *arg) {
    int me = arg != NULL;
    half[me] = me + 1;
    pthread_barrier_wait(&phase);
    if (me)
        half[1] = 5;
    int sum = half[0] + half[1];
    return sum ? NULL : arg;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&a, NULL, worker, &half);
    worker(NULL);
    pthread_join(a, NULL);
    return 0;
}
