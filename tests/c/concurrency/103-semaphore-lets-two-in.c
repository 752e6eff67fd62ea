// outcomes: 0 error
// verdict: FALSE

// A semaphore that begins with two is no lock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;
static int inside;

static void *visitor(void *unused) {
    sem_wait(&gate);
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    sem_post(&gate);
    return unused;
}

int main(void) {
    pthread_t other;
    sem_init(&gate, 0, 2);
    pthread_create(&other, NULL, visitor, NULL);
    visitor(NULL);
    pthread_join(other, NULL);
    return 0;
}
