// outcomes: 1 2
// verdict: TRUE

// Two units: two of the three may be inside at once, never three.
#include <pthread.h>
#include <semaphore.h>

extern void reach_error(void);

static sem_t units;
static int inside, most;

static void *worker(void *arg) {
    sem_wait(&units);
    int now = __sync_add_and_fetch(&inside, 1);
    if (now > 2) reach_error();
    if (now == 2) most = 2;
    __sync_sub_and_fetch(&inside, 1);
    sem_post(&units);
    return arg;
}

int main(void) {
    pthread_t a, b;
    sem_init(&units, 0, 2);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return most ? most : 1;
}
