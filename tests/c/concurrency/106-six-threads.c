// outcomes: 0 error
// verdict: FALSE

// Only if each of the threads comes after the one that was started after it, the error is reached.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turn = 5;

static void *step(void *number) {
    pthread_mutex_lock(&lock);
    if (turn == (int)(long)number)
        turn = turn - 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[5];
    for (long i = 0; i < 5; i++)
        pthread_create(&threads[i], NULL, step, (void *)(i + 1));
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], NULL);
    assert(turn != 0);
    return 0;
}
