// verdict: FALSE
// The second thread locks the mutex of its own account and pays into the first one.
#include <pthread.h>
#include <stdlib.h>

struct account {
    long money;
    pthread_mutex_t lock;
    struct account *target;
};

static void *pay(void *arg) {
    struct account *acc = arg;
    pthread_mutex_lock(&acc->lock);
    acc->target->money += 5;
    pthread_mutex_unlock(&acc->lock);
    return NULL;
}

static struct account *open_account(void) {
    struct account *acc = calloc(1, sizeof *acc);
    pthread_mutex_init(&acc->lock, NULL);
    acc->target = acc;
    return acc;
}

int main(void) {
    struct account *first = open_account();
    struct account *second = open_account();
    pthread_t a, b;
    second->target = first;
    pthread_create(&a, NULL, pay, first);
    pthread_create(&b, NULL, pay, second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
