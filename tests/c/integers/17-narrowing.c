// run: exit 0
// verdict: TRUE

// Out-of-range conversion to a signed type keeps the low bits with gcc (C11 6.3.1.3p3).
#include <assert.h>

static signed char as_char(int x) { return x; }
static int parameter(short s) { return s; }
static unsigned long long widen(int x) { return x; }

int main(void) {
    assert(as_char(0x1234) == 0x34);
    assert(as_char(0x80) == -128);
    assert(parameter(65535) == -1);
    assert(parameter(32768) == -32768);
    assert(widen(-1) == 0xffffffffffffffffull);
    assert((int)0x100000005ll == 5);
    assert((unsigned)-5ll == 4294967291u);
    assert((long long)(unsigned)-1 == 4294967295ll);
    assert((unsigned long long)(signed char)0x80 == 0xffffffffffffff80ull);
    assert((short)(unsigned char)-1 == 255);
    int chain;
    unsigned char narrow;
    chain = narrow = 300;
    assert(chain == 44);
    return 0;
}
