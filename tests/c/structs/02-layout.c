// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stddef.h>

struct a { char c; int i; char d; };
struct b { char c, d; short s; int i; };
struct c { struct a inner; char tail; };
union u { char c[5]; int i; };
struct d { short s; union u u; };
struct e { char c; char array[3]; struct { char x; short y; } z; };

_Static_assert(sizeof(struct a) == 12 && offsetof(struct a, d) == 8, "padding after each char");
_Static_assert(sizeof(struct b) == 8 && offsetof(struct b, i) == 4, "no padding");
_Static_assert(sizeof(struct c) == 16 && offsetof(struct c, tail) == 12, "nested alignment");
_Static_assert(sizeof(union u) == 8 && _Alignof(union u) == 4, "union rounds up");
_Static_assert(sizeof(struct d) == 12 && offsetof(struct d, u) == 4, "union member");

int main(void) {
    assert(offsetof(struct e, z) == 4 && offsetof(struct e, z.y) == 6 && sizeof(struct e) == 8);
    assert(offsetof(struct e, array[2]) == 3);
    struct a array[2];
    assert((char *)&array[1] - (char *)&array[0] == 12);
    assert((char *)&array[1].i - (char *)array == 16);
    return 0;
}
