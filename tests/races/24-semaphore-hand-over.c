// verdict: TRUE
// sem_post and sem_wait order the write before the read (POSIX, memory synchronization).
#include <pthread.h>
#include <semaphore.h>

static int parcel;
static sem_t delivered;

static void *carrier(void *arg) {
    parcel = 7;
    sem_post(&delivered);
    return arg;
}

int main(void) {
    pthread_t a;
    sem_init(&delivered, 0, 0);
    pthread_create(&a, NULL, carrier, NULL);
    sem_wait(&delivered);
    int got = parcel;
    pthread_join(a, NULL);
    return got != 7;
}
