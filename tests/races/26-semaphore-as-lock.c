// verdict: TRUE
// A semaphore of value 1 lets one thread in at a time.
#include <pthread.h>
#include <semaphore.h>

static int seats = 10;
static sem_t gate;

static void *worker(void *arg) {
    sem_wait(&gate);
    seats--;
    sem_post(&gate);
    return arg;
}

int main(void) {
    pthread_t a, b;
    sem_init(&gate, 0, 1);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seats != 8;
}
