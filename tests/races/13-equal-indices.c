// verdict: TRUE
// Two different index variables hold the same value, so both threads take one mutex.
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int total;
static unsigned chosen, copied;
static pthread_mutex_t locks[4];

static void *worker(void *arg) {
    pthread_mutex_lock(&locks[chosen]);
    total++;
    pthread_mutex_unlock(&locks[chosen]);
    return arg;
}

int main(void) {
    pthread_t a;
    for (int i = 0; i < 4; i++)
        pthread_mutex_init(&locks[i], NULL);
    chosen = __VERIFIER_nondet_uint() % 4;
    copied = chosen;
    pthread_create(&a, NULL, worker, NULL);
    pthread_mutex_lock(&locks[copied]);
    total++;
    pthread_mutex_unlock(&locks[copied]);
    pthread_join(a, NULL);
    return total;
}
