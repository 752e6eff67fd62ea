// options: --data-model ILP32
// run: exit 0
// verdict: TRUE

// The i386 System V ABI aligns 8-byte members to 4 inside structs.
#include <assert.h>
#include <stddef.h>

struct a { char c; long long l; };
struct b { char c; double d; };
struct c { char c; long double d; };
struct d { char c; void *p; long l; };
union u { long long l; char c; };

int main(void) {
    assert(sizeof(struct a) == 12 && offsetof(struct a, l) == 4);
    assert(sizeof(struct b) == 12 && offsetof(struct b, d) == 4);
    assert(sizeof(long double) == 12 && sizeof(struct c) == 16 && offsetof(struct c, d) == 4);
    assert(sizeof(struct d) == 12 && offsetof(struct d, l) == 8);
    assert(sizeof(union u) == 8 && _Alignof(struct a) == 4);
    assert(__alignof__(long long) == 8 && _Alignof(long long) == 4);
    return 0;
}
