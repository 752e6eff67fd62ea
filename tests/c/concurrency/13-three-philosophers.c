// outcomes: 0 deadlock
// verdict: TRUE

#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *arg) {
    int id = (int)(long)arg;
    pthread_mutex_lock(&forks[id]);
    pthread_mutex_lock(&forks[(id + 1) % 3]);
    pthread_mutex_unlock(&forks[(id + 1) % 3]);
    pthread_mutex_unlock(&forks[id]);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, dine, (void *)i);
    dine((void *)2L);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
