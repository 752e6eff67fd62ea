// verdict: TRUE
// The mutex is a member of the heap object that it protects, reached through the thread's argument.
#include <pthread.h>
#include <stdlib.h>

struct account {
    long money;
    pthread_mutex_t lock;
};

static void *pay(void *arg) {
    struct account *acc = arg;
    pthread_mutex_lock(&acc->lock);
    acc->money += 5;
    pthread_mutex_unlock(&acc->lock);
    return NULL;
}

int main(void) {
    struct account *acc = malloc(sizeof *acc);
    pthread_t a, b;
    acc->money = 0;
    pthread_mutex_init(&acc->lock, NULL);
    pthread_create(&a, NULL, pay, acc);
    pthread_create(&b, NULL, pay, acc);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_mutex_destroy(&acc->lock);
    free(acc);
    return 0;
}
