// verdict: FALSE
// pthread_once orders the initialisation, but both threads write the table again after it.
#include <pthread.h>

static int table[4];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void) {
    for (int i = 0; i < 4; i++)
        table[i] = i * i;
}

static void *worker(void *arg) {
    pthread_once(&once, fill);
    table[3]++;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return 0;
}
