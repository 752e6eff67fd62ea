// Threads move money between two accounts, as often as they like.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned total, first, second;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *move(void *arg) {
    for (;;) {
        unsigned amount = __VERIFIER_nondet_uint();
        pthread_mutex_lock(&m);
        if (amount <= first) {
            first -= amount;
            second += amount;
        }
        assert(first + second == total);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    total = first = __VERIFIER_nondet_uint();
    while (__VERIFIER_nondet_uint())
        pthread_create(&thread, 0, move, 0);
    return 0;
}
