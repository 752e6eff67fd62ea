// verdict: TRUE
// Both threads change a global under one mutex; main reads it after the joins.
#include <pthread.h>

static int balance;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *arg) {
    pthread_mutex_lock(&guard);
    balance += 10;
    pthread_mutex_unlock(&guard);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, deposit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return balance != 20;
}
