// verdict: FALSE
// Each thread holds a mutex, but not the same one.
#include <pthread.h>

static int balance;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *arg) {
    pthread_mutex_lock(&guard);
    balance += 10;
    pthread_mutex_unlock(&guard);
    return arg;
}

static void *withdraw(void *arg) {
    pthread_mutex_lock(&other);
    balance -= 10;
    pthread_mutex_unlock(&other);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, withdraw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return balance;
}
