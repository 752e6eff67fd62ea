// outcomes: 0
// verdict: TRUE

#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x = ATOMIC_VAR_INIT(5);
    assert(atomic_fetch_add(&x, 3) == 5 && atomic_load(&x) == 8);
    assert(atomic_fetch_sub(&x, 1) == 8);
    assert(atomic_fetch_or(&x, 8) == 7 && x == 15);
    assert(atomic_fetch_and(&x, 6) == 15 && x == 6);
    assert(atomic_fetch_xor(&x, 2) == 6 && x == 4);
    assert(atomic_exchange(&x, 9) == 4);
    int expected = 1;
    assert(!atomic_compare_exchange_strong(&x, &expected, 2) && expected == 9 && x == 9);
    assert(atomic_compare_exchange_strong(&x, &expected, 2) && expected == 9 && x == 2);
    atomic_init(&x, 1);
    atomic_store_explicit(&x, 3, memory_order_release);
    assert(atomic_load_explicit(&x, memory_order_acquire) == 3);
    atomic_thread_fence(memory_order_seq_cst);
    return 0;
}
