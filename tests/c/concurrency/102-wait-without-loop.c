// outcomes: deadlock error
// verdict: FALSE

// A consumer that does not look again after its wait takes what another has taken before.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    if (items == 0)
        pthread_cond_wait(&filled, &lock);
    items--;
    assert(items >= 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, consumer, NULL);
    pthread_create(&second, NULL, consumer, NULL);
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
