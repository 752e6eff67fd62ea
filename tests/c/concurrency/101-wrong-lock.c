// outcomes: 0 error
// verdict: FALSE

// Both threads lock something, but not the same: what one adds the other may overwrite.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static void *deposit(void *unused) {
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    balance = balance + 5;
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return unused;
}

static void *withdraw(void *unused) {
    pthread_mutex_lock(&right);
    int before = balance;
    pthread_mutex_unlock(&right);
    balance = before - 3;
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, deposit, NULL);
    pthread_create(&two, NULL, withdraw, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(balance == 12);
    return 0;
}
