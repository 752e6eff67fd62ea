// outcomes: 0 deadlock
// verdict: TRUE

// The worker posts only if main has already written.
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int written;

static void *worker(void *arg) {
    if (written) sem_post(&done);
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    written = 1;
    sem_wait(&done);
    return 0;
}
