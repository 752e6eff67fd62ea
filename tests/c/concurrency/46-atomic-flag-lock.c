// outcomes: 2
// verdict: TRUE

#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int x;

static void *worker(void *arg) {
    while (atomic_flag_test_and_set(&busy)) continue;
    x++;
    atomic_flag_clear(&busy);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    return x;
}
