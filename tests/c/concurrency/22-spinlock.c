// outcomes: 2
// verdict: TRUE

#include <pthread.h>

static pthread_spinlock_t lock;
static int x;

static void *worker(void *arg) {
    pthread_spin_lock(&lock);
    x++;
    pthread_spin_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    pthread_spin_destroy(&lock);
    return x;
}
