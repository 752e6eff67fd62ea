// outcomes: 7
// verdict: TRUE

// Strict alternation by two semaphores: x = (0 + 3) * 2 + 1.
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int x;

static void *worker(void *arg) {
    sem_wait(&ping);
    x *= 2;
    sem_post(&pong);
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    x += 3;
    sem_post(&ping);
    sem_wait(&pong);
    x += 1;
    pthread_join(t, NULL);
    sem_destroy(&ping);
    sem_destroy(&pong);
    return x;
}
