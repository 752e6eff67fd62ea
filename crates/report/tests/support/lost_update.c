#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct account {
    int balance;
    struct account *next;
};

struct account savings;
struct account checking;
struct account *first = &savings;
pthread_mutex_t m;

/* Gives the lock back between reading and writing, so that a deposit can be lost. */
void deposit(struct account *to, int amount)
{
    pthread_mutex_lock(&m);
    int old = to->balance;
    pthread_mutex_unlock(&m);

    // Here another teller may come in between.
    pthread_mutex_lock(&m);
    to->balance = old + amount;
    pthread_mutex_unlock(&m);
}

void *teller(void *arg)
{
    struct account *to = arg;
    deposit(to, 10);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int start = __VERIFIER_nondet_int();
    if (start < 0 || start > 100)
        return 0;
    savings.next = &checking;
    checking.balance = start;
    pthread_create(&t1, NULL, teller, first->next);
    pthread_create(&t2, NULL, teller, first->next);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    if (checking.balance != start + 20)
        reach_error();
    return 0;
}
