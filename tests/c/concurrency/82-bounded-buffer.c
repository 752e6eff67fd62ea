// outcomes: 12
// verdict: TRUE

// One slot, two items, both directions wait on the same condition variable.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int slot;

static void *producer(void *arg) {
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&lock);
        while (slot != 0) pthread_cond_wait(&changed, &lock);
        slot = i;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t t;
    int digits = 0;
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (slot == 0) pthread_cond_wait(&changed, &lock);
        digits = 10 * digits + slot;
        slot = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(t, NULL);
    return digits;
}
