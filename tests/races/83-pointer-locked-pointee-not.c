// verdict: FALSE
// The mutex protects the pointer; both threads write through it after the unlock.
#include <pthread.h>

static int slots[2];
static int *current = &slots[0];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    int *mine = current;
    pthread_mutex_unlock(&m);
    *mine = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return 0;
}
