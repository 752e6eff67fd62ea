// verdict: TRUE
// A spin lock made from __sync_lock_test_and_set, behind functions.
#include <pthread.h>

static int value;
static int lock_word;

static void spin_lock(int *word) {
    while (__sync_lock_test_and_set(word, 1))
        ;
}

static void spin_unlock(int *word) {
    __sync_lock_release(word);
}

static void *worker(void *arg) {
    spin_lock(&lock_word);
    value++;
    spin_unlock(&lock_word);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return value - 2;
}
