// run: exit 0
// verdict: TRUE

#include <assert.h>

int main(void) {
    assert(__builtin_clz(1) == 31 && __builtin_clz(0x80000000u) == 0);
    assert(__builtin_clzll(1) == 63 && __builtin_clzll(1ull << 40) == 23);
    assert(__builtin_ctz(8) == 3 && __builtin_ctz(0x80000000u) == 31);
    assert(__builtin_ctzll(1ull << 40) == 40);
    assert(__builtin_popcount(0xf0f0u) == 8 && __builtin_popcountll(~0ull) == 64);
    assert(__builtin_parity(7) == 1 && __builtin_parityll(3) == 0);
    assert(__builtin_ffs(0) == 0 && __builtin_ffs(8) == 4 && __builtin_ffsll(1ll << 40) == 41);
    assert(__builtin_clrsb(0) == 31 && __builtin_clrsb(-1) == 31 && __builtin_clrsb(1) == 30);
    assert(__builtin_bswap16(0x1234) == 0x3412);
    assert(__builtin_bswap32(0x12345678u) == 0x78563412u);
    assert(__builtin_bswap64(1) == 0x0100000000000000ull);
    assert(__builtin_abs(-4) == 4);
    int x = -1;
    assert(__builtin_popcount(x) == 32);
    return 0;
}
