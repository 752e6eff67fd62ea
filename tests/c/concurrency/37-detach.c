// outcomes: 6
// verdict: TRUE

// A detached thread is waited for by a semaphore instead of a join.
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int x;

static void *worker(void *arg) {
    pthread_detach(pthread_self());
    x = 6;
    sem_post(&done);
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    sem_wait(&done);
    return x;
}
