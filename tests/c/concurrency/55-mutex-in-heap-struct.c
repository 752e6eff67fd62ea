// outcomes: 0
// verdict: TRUE

// Each account has its own lock inside a heap object; transfers take both in index order.
#include <pthread.h>
#include <stdlib.h>

extern void reach_error(void);

struct account { int balance; pthread_mutex_t lock; };

static struct account *accounts;

static void transfer(int from, int to) {
    int first = from < to ? from : to, second = from + to - first;
    pthread_mutex_lock(&accounts[first].lock);
    pthread_mutex_lock(&accounts[second].lock);
    accounts[from].balance--;
    accounts[to].balance++;
    pthread_mutex_unlock(&accounts[second].lock);
    pthread_mutex_unlock(&accounts[first].lock);
}

static void *worker(void *arg) {
    transfer(0, 1);
    return arg;
}

int main(void) {
    pthread_t t;
    accounts = calloc(2, sizeof *accounts);
    for (int i = 0; i < 2; i++) pthread_mutex_init(&accounts[i].lock, NULL);
    pthread_create(&t, NULL, worker, NULL);
    transfer(1, 0);
    pthread_join(t, NULL);
    if (accounts[0].balance != 0 || accounts[1].balance != 0) reach_error();
    free(accounts);
    return 0;
}
