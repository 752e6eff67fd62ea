// outcomes: 2
// verdict: TRUE

#include "threads.h"

extern void reach_error(void);

static int x;
static unsigned char flag;

static void *worker(void *arg) {
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, __atomic_add_fetch(&x, 1, __ATOMIC_RELAXED));
    int r = __atomic_load_n(&x, __ATOMIC_ACQUIRE), expected = 5, desired = 6, old;
    if (__atomic_compare_exchange_n(&x, &expected, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        reach_error();
    if (expected != 2) reach_error();
    if (!__atomic_compare_exchange(&x, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        reach_error();
    __atomic_exchange(&x, &r, &old, __ATOMIC_SEQ_CST);
    if (old != 6 || __atomic_exchange_n(&x, 1, __ATOMIC_SEQ_CST) != 2) reach_error();
    __atomic_store_n(&x, 2, __ATOMIC_RELEASE);
    __atomic_load(&x, &r, __ATOMIC_SEQ_CST);
    if (__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST)) reach_error();
    if (!__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST)) reach_error();
    __atomic_clear(&flag, __ATOMIC_SEQ_CST);
    if (flag || __atomic_fetch_xor(&x, 3, __ATOMIC_SEQ_CST) != 2 || x != 1) reach_error();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return r;
}
