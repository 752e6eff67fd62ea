// options: --data-model LP64
// run: exit 0
// verdict: TRUE

// Overflow builtins where no type holds the exact result.
#include <assert.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

#define LEAST ((i128)1 << 127)
#define GREATEST (~LEAST)

int main(void) {
    i128 r;
    u128 u;
    long n;
    unsigned long long w;
    assert(!__builtin_add_overflow(GREATEST, (i128)-1, &r) && r == GREATEST - 1);
    assert(__builtin_add_overflow(GREATEST, (i128)1, &r) && r == LEAST);
    assert(__builtin_sub_overflow(LEAST, (i128)1, &r) && r == GREATEST);
    assert(!__builtin_sub_overflow((i128)-5, LEAST, &r) && r == GREATEST - 4);
    assert(__builtin_mul_overflow(LEAST, (i128)-1, &r) && r == LEAST);
    assert(__builtin_mul_overflow((i128)-1, LEAST, &r) && r == LEAST);
    assert(!__builtin_mul_overflow((i128)-3, (i128)7, &r) && r == -21);
    assert(__builtin_mul_overflow(GREATEST, (i128)2, &r) && r == -2);
    assert(__builtin_add_overflow(~(u128)0, (u128)1, &u) && u == 0);
    assert(__builtin_sub_overflow((u128)0, (u128)1, &u) && u == ~(u128)0);
    assert(__builtin_mul_overflow((u128)1 << 64, (u128)1 << 64, &u) && u == 0);
    assert(!__builtin_mul_overflow((u128)1 << 64, (u128)1 << 63, &u) && u == (u128)1 << 127);
    assert(!__builtin_mul_overflow((u128)0, ~(u128)0, &u) && u == 0);
    assert(__builtin_add_overflow((i128)1 << 63, (i128)0, &n) && n == -9223372036854775807l - 1);
    assert(!__builtin_sub_overflow((i128)5, (i128)9, &n) && n == -4);
    assert(__builtin_mul_overflow(~0ull, ~0ull, &w) && w == 1);
    assert(!__builtin_mul_overflow(~0ull, 1ull, &w) && w == ~0ull);
    assert(__builtin_mul_overflow(1l << 62, 2l, &n) && !__builtin_mul_overflow(1l << 62, -2l, &n));
    return 0;
}
