// outcomes: 0 1
// verdict: TRUE

// C11 7.17.7.4p4: the weak form may fail though the values are equal, and then changes nothing; the strong form may not.
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
    int expected = 0;
    if (!atomic_compare_exchange_weak(&x, &expected, 5)) {
        assert(expected == 0 && x == 0);
        return 1;
    }
    expected = 5;
    assert(atomic_compare_exchange_strong(&x, &expected, 6));
    return 0;
}
