// run: exit 0
// verdict: TRUE

// The result type of a shift is that of the promoted left operand alone (C11 6.5.7p3).
// Right shift of a negative value is arithmetic with gcc.
#include <assert.h>

int main(void) {
    assert(sizeof(1 << 1LL) == 4);
    assert(sizeof(1LL << 1) == 8);
    assert((1u << 31) == 2147483648u);
    assert((1ull << 63) >> 63 == 1);
    assert(-1 >> 31 == -1);
    assert(-8 >> 1 == -4);
    assert(-7 >> 1 == -4);
    assert((unsigned)-8 >> 1 == 2147483644u);

    unsigned char c = 0x81;
    assert(c << 1 == 0x102);
    c <<= 1;
    assert(c == 2);
    signed char s = -128;
    s >>= 3;
    assert(s == -16);
    long long amount = 33;
    assert(1LL << amount == 8589934592LL);
    assert((0xf0f0f0f0u >> 4 ^ 0xf0f0f0f0u) == 0xffffffffu);
    return 0;
}
