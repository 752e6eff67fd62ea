// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stddef.h>

struct packed { char c; int i; short s; } __attribute__((packed));
struct __attribute__((__packed__)) inner { char c; long long l; };
struct aligned { char c; } __attribute__((aligned(16)));
struct member { char c; int i __attribute__((aligned(8))); char d; };
struct partly { char c; int i __attribute__((packed)); short s; };
struct bits { unsigned a : 5; unsigned b : 30; unsigned c : 5; } __attribute__((packed));
typedef int wide_int __attribute__((aligned(16)));

int main(void) {
    assert(sizeof(struct packed) == 7 && offsetof(struct packed, s) == 5);
    assert(sizeof(struct inner) == 9 && _Alignof(struct inner) == 1);
    assert(sizeof(struct aligned) == 16 && _Alignof(struct aligned) == 16);
    assert(sizeof(struct member) == 16 && offsetof(struct member, i) == 8);
    assert(sizeof(struct partly) == 8 && offsetof(struct partly, i) == 1);
    assert(sizeof(struct bits) == 5);
    struct { char c; wide_int i; } w;
    assert(sizeof w == 32);
    struct packed p = {'a', -2, 3};
    p.i--;
    assert(p.c == 'a' && p.i == -3 && p.s == 3);
    struct bits b = {31, 0x3fffffff, 0};
    b.c = 21;
    assert(b.a == 31 && b.b == 0x3fffffff && b.c == 21);
    b.b = 0x15555555;
    assert(b.a == 31 && b.b == 0x15555555 && b.c == 21);
    _Alignas(32) char buffer[3];
    assert((unsigned long)buffer % 32 == 0 && sizeof buffer == 3);
    return 0;
}
