// verdict: TRUE
// The mutex hands the message over: the flag is set and read under it, the message is not.
#include <pthread.h>

static int message, ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *sender(void *arg) {
    message = 42;
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, sender, NULL);
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&changed, &m);
    pthread_mutex_unlock(&m);
    int got = message;
    pthread_join(a, NULL);
    return got != 42;
}
