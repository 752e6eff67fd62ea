// run: exit 0
// verdict: TRUE

// `packed`, `aligned`, `#pragma pack` and `ms_struct` where they meet. The offsets are gcc's; that
// they are the same in both data models is why these types were chosen.
#include <assert.h>
#include <stddef.h>

typedef int low __attribute__((aligned(2)));
typedef int last_wins __attribute__((aligned(16), aligned(1)));
struct lowered { char c; low i; };
struct lowest { char c; last_wins i; };

#pragma pack(push, 2)
struct bits_in_pack { char c; int a : 20; int b : 20; };
struct aligned_in_pack { char c; int i __attribute__((aligned(8))); };
#pragma pack(1)
struct __attribute__((packed)) packed_in_pack { char c; short s; long long l; };
struct zero_width { char c : 3; int : 0; char d; };
#pragma pack(pop)

struct aligned_bits { char c; int a : 5 __attribute__((aligned(8))); int : 0 __attribute__((aligned(4))); };
struct packed_member { char c; int i __attribute__((packed, aligned(2))); char d; };
struct __attribute__((ms_struct)) microsoft { char a : 3; int b : 5; char c : 2; };
struct { char c; _Atomic long long l; } atomic_member;
typedef struct { char c[8]; } eight;
struct { char c; _Atomic eight e; } atomic_record;

int main(void) {
    assert(offsetof(struct lowered, i) == 2 && sizeof(struct lowered) == 6);
    assert(offsetof(struct lowest, i) == 1 && sizeof(struct lowest) == 5);

    struct bits_in_pack p = {0};
    p.b = -1;
    unsigned char *bytes = (unsigned char *)&p;
    assert(sizeof p == 6 && bytes[3] == 0xf0 && bytes[5] == 0xff);
    assert(offsetof(struct aligned_in_pack, i) == 2);
    assert(sizeof(struct packed_in_pack) == 11 && offsetof(struct zero_width, d) == 4);

    struct aligned_bits a = {0};
    a.a = -1;
    assert(sizeof a == 16 && ((unsigned char *)&a)[8] == 0x1f);
    assert(offsetof(struct packed_member, i) == 2 && sizeof(struct packed_member) == 8);
    assert(sizeof(struct microsoft) == 12);
    assert((char *)&atomic_member.l - (char *)&atomic_member == 8);
    assert((char *)&atomic_record.e - (char *)&atomic_record == 8);
    return 0;
}
