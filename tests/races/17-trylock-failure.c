// verdict: FALSE
// The branch on which trylock failed holds nothing, but reads.
#include <pthread.h>

static int tickets, guess;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    tickets++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    if (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    else
        guess = tickets;
    pthread_join(a, NULL);
    return guess;
}
