// run: exit 0
// verdict: TRUE

// C11 6.5.16.2p3: E1 op= E2 computes in the common type, then converts back to E1's type.
#include <assert.h>

int main(void) {
    unsigned char c = 250;
    c += 10;
    assert(c == 4);
    c -= 5;
    assert(c == 255);
    c *= 3;
    assert(c == 253);
    c /= -1;
    assert(c == 3);
    signed char s = 100;
    s += 100;
    assert(s == -56);
    s ^= 0xff;
    assert(s == 55);

    int i = 7;
    i *= 1.5;
    assert(i == 10);
    i /= 0.3f;
    assert(i == 33);
    i = -7;
    i /= 2u;
    assert(i == 2147483644);
    i = -7;
    i >>= 1u;
    assert(i == -4);
    i = 5;
    i %= -3;
    assert(i == 2);

    long long l = 1;
    l <<= 40;
    i = 3;
    i += l;
    assert(i == 3);
    unsigned short h = 1;
    h -= 2u;
    assert(h == 65535);
    int x = 2, y = 3;
    x += y *= 4;
    assert(x == 14 && y == 12);
    return 0;
}
