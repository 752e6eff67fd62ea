// verdict: TRUE
// The fields, which are one location of twelve bytes, keep their values: the worker takes the lock.
#include <pthread.h>

static struct {
    unsigned a : 20, b : 20, c : 20, d : 12;
} settings;
static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    if (settings.a == 1 && settings.b == 0xfffff && settings.c == 3 && settings.d == 4)
        pthread_mutex_lock(&m);
    count++;
    return arg;
}

int main(void) {
    pthread_t a;
    settings.d = 4;
    settings.c = 3;
    settings.b = 0xfffff;
    settings.a = 1;
    pthread_create(&a, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    pthread_join(a, NULL);
    return 0;
}
