// outcomes: error
// verdict: FALSE

// Contents that are assigned later count, too.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    int balance;
    pthread_mutex_t mutex;
};

static void *lock_twice(void *arg) {
    struct account *account = arg;
    pthread_mutex_lock(&account->mutex);
    pthread_mutex_lock(&account->mutex);
    account->balance = 1;
    pthread_mutex_unlock(&account->mutex);
    pthread_mutex_unlock(&account->mutex);
    return NULL;
}

int main(void) {
    static const pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    struct account *account = malloc(sizeof *account);
    if (account == NULL)
        abort();
    account->balance = 0;
    account->mutex = recursive;
    pthread_t thread;
    pthread_create(&thread, NULL, lock_twice, account);
    pthread_join(thread, NULL);
    assert(account->balance == 0);
    return 0;
}
