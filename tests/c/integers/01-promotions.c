// run: exit 0
// verdict: TRUE

// C11 6.3.1.1p2: operands narrower than int are computed as int.
#include <assert.h>

int main(void) {
    unsigned char a = 200, b = 100;
    assert(a + b == 300);
    assert((unsigned char)(a + b) == 44);
    assert(a - 201 == -1);
    assert(~a == -201);
    assert((unsigned char)~a == 55);
    assert(-a == -200);
    assert((a << 4) == 3200);
    assert(sizeof(a + b) == sizeof(int));
    assert(sizeof(+a) == sizeof(int));
    assert(sizeof(a) == 1);
    assert(sizeof(!a) == sizeof(int));

    unsigned short s = 65535;
    assert(s + 1 == 65536);
    assert((s >> 15) == 1);
    assert(~s < 0);

    _Bool t = 1;
    assert(t + t == 2);
    assert(-t == -1);
    return 0;
}
