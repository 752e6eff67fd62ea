// verdict: TRUE
// Each thread writes its half before the barrier and reads the other half after it.
#include <pthread.h>

static int half[2];
static pthread_barrier_t phase;

static void *worker(void *arg) {
    int me = arg != NULL;
    half[me] = me + 1;
    pthread_barrier_wait(&phase);
    int sum = half[me] + half[1 - me];
    return sum == 3 ? NULL : arg;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&a, NULL, worker, &half);
    worker(NULL);
    pthread_join(a, NULL);
    return 0;
}
