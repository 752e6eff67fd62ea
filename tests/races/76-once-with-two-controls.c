// verdict: FALSE
// Each thread has a control of its own, so both run the initialisation.
#include <pthread.h>

static int table[4];
static pthread_once_t once[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};

static void fill(void) {
    for (int i = 0; i < 4; i++)
        table[i] = i * i;
}

static void *worker(void *arg) {
    pthread_once(&once[arg != NULL], fill);
    return table[3] == 9 ? arg : NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, &once);
    worker(NULL);
    pthread_join(a, NULL);
    return 0;
}
