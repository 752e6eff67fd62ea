// Two transfers in opposite directions, each locking both accounts.
//
// No money is lost: the assertion holds in every run that gets there. But each transfer locks its
// source first, so the threads can hold one account each and wait for the other for ever. Only
// some schedules show it; try several seeds:
//
//     ./ravelin run --seed 1 examples/bank_transfer_deadlock.c
//
// Expected: Verdict: TRUE for the assertion; some runs end in a deadlock.
// Locking the account with the smaller address first repairs it.

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 50};

static void transfer(struct account *from, struct account *to, int amount) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *pay_rent(void *unused) {
    (void)unused;
    transfer(&alice, &bob, 30);
    return NULL;
}

static void *pay_back(void *unused) {
    (void)unused;
    transfer(&bob, &alice, 10);
    return NULL;
}

int main(void) {
    pthread_t first, second;

    pthread_create(&first, NULL, pay_rent, NULL);
    pthread_create(&second, NULL, pay_back, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);

    assert(alice.balance == 80 && bob.balance == 70);
    return 0;
}
