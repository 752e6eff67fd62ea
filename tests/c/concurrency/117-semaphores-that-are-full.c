// outcomes: 0
// verdict: TRUE

// POSIX: a value above SEM_VALUE_MAX is refused, and so is one more of the largest.
#include <pthread.h>
#include <semaphore.h>

extern void reach_error(void);

static sem_t full, never;

static void *poster(void *unused) {
    (void)unused;
    if (sem_post(&full) != -1) reach_error();
    return 0;
}

int main(void) {
    pthread_t thread;
    if (sem_init(&full, 0, 0x7fffffffu) != 0) reach_error();
    if (sem_init(&never, 0, 0x80000000u) != -1) reach_error();
    pthread_create(&thread, 0, poster, 0);
    pthread_join(thread, 0);
    return 0;
}
