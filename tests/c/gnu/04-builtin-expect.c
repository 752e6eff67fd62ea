// run: exit 0
// verdict: TRUE

#include <assert.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

int main(void) {
    int n = 0;
    if (likely(n++ == 0)) n += 10;
    assert(n == 11);
    if (unlikely(n == 12)) __builtin_unreachable();
    assert(__builtin_expect(n, 3) == 11);
    int *p = __builtin_assume_aligned(&n, 4);
    assert(*p == 11);
    __builtin_prefetch(p, 0, 3);
    if (__builtin_expect_with_probability(n, 1, 0.9) != 11) __builtin_trap();
    return 0;
}
