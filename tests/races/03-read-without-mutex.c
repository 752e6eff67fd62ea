// verdict: FALSE
// All writes hold the mutex, one read does not.
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
    pthread_t a;
    pthread_create(&a, NULL, deposit, NULL);
    int seen = balance;
    pthread_join(a, NULL);
    return seen > balance;
}
