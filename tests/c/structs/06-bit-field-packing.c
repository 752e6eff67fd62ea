// run: exit 0
// stdout: 4 4 8 4 1 4 8
// stdout: 5a b1 03 00
// verdict: TRUE

// Fields share storage units and never straddle one of their declared type (System V ABI).
#include <stdio.h>
#include <string.h>

struct a { unsigned x : 4, y : 8, z : 6; };
struct b { unsigned x : 31; unsigned y : 1; };
struct c { unsigned x : 31; unsigned y : 2; };
struct d { char c; unsigned x : 24; };
struct e { unsigned char x : 3, : 2, y : 3; };
struct f { unsigned short x : 9; unsigned short y : 9; };
struct g { unsigned x : 3; unsigned : 0; unsigned y : 3; };

int main(void) {
    printf("%d %d %d %d %d %d %d\n", (int)sizeof(struct a), (int)sizeof(struct b),
           (int)sizeof(struct c), (int)sizeof(struct d), (int)sizeof(struct e),
           (int)sizeof(struct f), (int)sizeof(struct g));
    struct a a;
    memset(&a, 0, sizeof a);
    a.x = 0xa;
    a.y = 0x15;
    a.z = 0x3b;
    unsigned char *p = (unsigned char *)&a;
    printf("%02x %02x %02x %02x\n", p[0], p[1], p[2], p[3]);
    return 0;
}
