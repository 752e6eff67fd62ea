// run: exit 0
// verdict: TRUE

// Reading another member reinterprets the bytes (C11 6.5.2.3 note 95), little-endian.
#include <assert.h>

union word {
    unsigned u;
    unsigned short h[2];
    unsigned char b[4];
    float f;
    struct { unsigned low : 12, high : 20; } bits;
};

int main(void) {
    union word w = {0x12345678};
    assert(w.h[0] == 0x5678 && w.h[1] == 0x1234);
    assert(w.b[0] == 0x78 && w.b[3] == 0x12);
    assert(w.bits.low == 0x678 && w.bits.high == 0x12345);
    w.b[1] = 0;
    assert(w.u == 0x12340078);
    w.f = 1.0f;
    assert(w.u == 0x3f800000);
    w.u ^= 0x80000000;
    assert(w.f == -1.0f);
    union word copy = w, named = {.f = 2.0f};
    assert(copy.f == -1.0f && named.u == 0x40000000);
    union { int *p; char c; } v = {.p = (int *)&w.u};
    assert(*v.p == (int)w.u);
    return 0;
}
