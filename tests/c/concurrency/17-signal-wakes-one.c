// outcomes: 0 deadlock
// verdict: TRUE

// One signal for two waiters: if both already wait, one of them sleeps on (unless it wakes
// spuriously, which POSIX permits and nobody may rely on).
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open = PTHREAD_COND_INITIALIZER;
static int is_open;

static void *waiter(void *arg) {
    pthread_mutex_lock(&lock);
    while (!is_open) pthread_cond_wait(&open, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    is_open = 1;
    pthread_cond_signal(&open);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
