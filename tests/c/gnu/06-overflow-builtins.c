// run: exit 0
// verdict: TRUE

// The result is computed in infinite precision and then cut to the type of the target.
#include <assert.h>

int main(void) {
    int r;
    assert(!__builtin_add_overflow(1, 2, &r) && r == 3);
    assert(__builtin_add_overflow(2147483647, 1, &r) && r == -2147483647 - 1);
    assert(__builtin_sub_overflow(-2147483647 - 1, 1, &r) && r == 2147483647);
    assert(__builtin_mul_overflow(65536, 65536, &r) && r == 0);
    unsigned u;
    assert(__builtin_sub_overflow(1u, 2u, &u) && u == 4294967295u);
    assert(!__builtin_add_overflow(-1, 1u, &u) && u == 0);
    assert(__builtin_add_overflow(-2, 1, &u) && u == 4294967295u);
    unsigned char c;
    assert(__builtin_add_overflow(200, 100, &c) && c == 44);
    assert(!__builtin_mul_overflow(15, 17, &c) && c == 255);
    long long l;
    assert(!__builtin_mul_overflow(2147483647, 2147483647, &l) && l == 4611686014132420609ll);
    assert(__builtin_smul_overflow(1 << 20, 1 << 20, &r));
    assert(!__builtin_uadd_overflow(1u, 2u, &u) && u == 3);
    assert(__builtin_saddll_overflow(9223372036854775807ll, 1ll, &l) && l < 0);
    assert(__builtin_add_overflow_p(2147483647, 1, 0) && !__builtin_add_overflow_p(1, 1, 0));
    return 0;
}
