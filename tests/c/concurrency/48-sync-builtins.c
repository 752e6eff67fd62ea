// outcomes: 3
// verdict: TRUE

#include "threads.h"

extern void reach_error(void);

static int lock, x, y;

static void *worker(void *arg) {
    while (__sync_lock_test_and_set(&lock, 1)) continue;
    x++;
    __sync_lock_release(&lock);
    __sync_fetch_and_add(&y, 1);
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, worker(NULL); __sync_synchronize());
    if (x != 2 || y != 2) reach_error();
    if (__sync_bool_compare_and_swap(&x, 1, 9)) reach_error();
    if (__sync_val_compare_and_swap(&x, 2, 3) != 2) reach_error();
    if (__sync_or_and_fetch(&y, 5) != 7 || __sync_fetch_and_nand(&y, 3) != 7) reach_error();
    if (y != -4 || __sync_sub_and_fetch(&y, 1) != -5) reach_error();
    return x;
}
