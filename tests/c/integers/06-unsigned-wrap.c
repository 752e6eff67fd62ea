// run: exit 0
// verdict: TRUE

// C11 6.2.5p9: unsigned arithmetic is modulo 2^N.
#include <assert.h>

int main(void) {
    unsigned u = 0;
    assert(u - 1 == 4294967295u);
    assert(--u == 4294967295u);
    assert(++u == 0);
    assert(-1u == 4294967295u);
    assert(65536u * 65536u == 0);
    assert(65537u * 65537u == 131073u);

    unsigned long long w = 0;
    w--;
    assert(w == 18446744073709551615ull);
    assert(w * w == 1);

    unsigned char c = 255;
    c++;
    assert(c == 0);
    c--;
    assert(c == 255);
    unsigned short s = 40000;
    s += 40000;
    assert(s == 14464);
    return 0;
}
