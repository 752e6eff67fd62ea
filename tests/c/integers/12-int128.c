// options: --data-model LP64
// run: exit 0
// verdict: TRUE

// gcc has 128-bit integers on 64-bit targets only.
#include <assert.h>

static unsigned __int128 power(unsigned __int128 base, unsigned exponent) {
    unsigned __int128 result = 1;
    while (exponent-- > 0) result *= base;
    return result;
}

int main(void) {
    assert(sizeof(__int128) == 16 && _Alignof(__int128) == 16);
    unsigned __int128 u = ~(unsigned __int128)0;
    assert((unsigned long long)(u >> 64) == ~0ull);
    assert(u + 1 == 0);
    __int128 s = -1;
    assert(s < 0 && s >> 100 == -1);
    assert((unsigned long long)s == ~0ull);

    unsigned __int128 p = power(10, 30);
    assert((unsigned long long)(p / power(10, 18)) == 1000000000000ull);
    assert(p % 7 == 1);
    unsigned __int128 wide = (unsigned __int128)0xffffffffffffffffull * 0xffffffffffffffffull;
    assert((unsigned long long)wide == 1);
    assert((unsigned long long)(wide >> 64) == 0xfffffffffffffffeull);
    __int128 q = -((__int128)1 << 100);
    assert(q / ((__int128)1 << 98) == -4);
    assert(q % 3 == -1);
    return 0;
}
