// verdict: TRUE
// pthread_once runs the initialisation once, and it is complete when any call returns.
#include <pthread.h>

static int table[4];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void) {
    for (int i = 0; i < 4; i++)
        table[i] = i * i;
}

static void *worker(void *arg) {
    pthread_once(&once, fill);
    return table[3] == 9 ? arg : NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return 0;
}
