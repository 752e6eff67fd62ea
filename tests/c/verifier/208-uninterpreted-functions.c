// outcomes: 0
// verdict: TRUE

// A function of which nothing is known is one still: equal arguments get equal answers, from any thread.
#include <pthread.h>
int __CPROVER_uninterpreted_f(int);
_Bool __ESBMC_uninterpreted_same(const void *a, const void *b);
unsigned char __CPROVER_uninterpreted_hash(unsigned char key, short salt);
extern int __VERIFIER_nondet_int(void);

int x, y;
unsigned char first, second;

void *ask(void *unused) {
    first = __CPROVER_uninterpreted_hash(7, -1);
    return unused;
}

int main(void) {
    pthread_t thread;
    int n = __VERIFIER_nondet_int();
    int before = __CPROVER_uninterpreted_f(n);
    __CPROVER_assert(__CPROVER_uninterpreted_f(n) == before, "the same again");
    __CPROVER_assert(__ESBMC_uninterpreted_same(&x, &y) == __ESBMC_uninterpreted_same(&x, &y), "pointers");
    pthread_create(&thread, 0, ask, 0);
    second = __CPROVER_uninterpreted_hash(7, 0xffff);
    pthread_join(thread, 0);
    __CPROVER_assert(first == second, "converted to the types of the parameters");
    return 0;
}
