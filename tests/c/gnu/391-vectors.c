// run: exit 0
// verdict: TRUE

#include <assert.h>

typedef int v4si __attribute__((vector_size(16)));
typedef unsigned char v16qu __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef short v8hi __attribute__((__vector_size__(16)));

union view { v4si v; int members[4]; };

v4si global = {1, 2, 3};
static const v4sf halves = {0.5f, 0.5f, 0.5f, 0.5f};
struct { char tag; v4si v; } member;

static v4si doubled(v4si v) {
    v += v;
    return v;
}

int main(void) {
    assert(sizeof(v4si) == 16 && __alignof__(v4si) == 16 && sizeof member == 32);
    assert(global[0] == 1 && global[2] == 3 && global[3] == 0);

    v4si a = {10, -20, 30, -40}, b = {3, 3, -4, 4};
    union view sum, other;
    sum.v = a + b;
    assert(sum.members[0] == 13 && sum.members[1] == -17 && sum.members[2] == 26);
    sum.v = a / b;
    assert(sum.members[1] == -6 && sum.members[2] == -7);
    sum.v = a % b;
    assert(sum.members[1] == -2 && sum.members[2] == 2);
    other = sum;
    other.v ^= a | 1;
    assert(other.members[0] == (1 ^ 11));
    sum.v = -a;
    assert(sum.members[3] == 40);
    sum.v = ~a;
    assert(sum.members[0] == ~10);
    sum.v = a << (v4si){1, 2, 3, 4};
    assert(sum.members[0] == 20 && sum.members[3] == -640);
    sum.v = a >> 1;
    assert(sum.members[1] == -10);
    a[2] = 7;
    a[0]++;
    assert(a[2] == 7 && ((int *)&a)[2] == 7 && a[0] == 11);
    for (int i = 0; i < 4; i++) b[i] = i * i;
    assert(b[3] == 9);
    v4si c = doubled(b);
    assert(c[3] == 18 && doubled(c)[1] == 4);

    // Comparisons give 0 and -1.
    v4si less = b < (v4si){1, 1, 1, 100};
    assert(less[0] == -1 && less[1] == 0 && less[3] == -1);
    v4sf f = {1.5f, 2.5f, 3.5f, 4.5f};
    f = f * halves - 1;
    assert(f[0] == -0.25f && f[3] == 1.25f);
    v4si positive = f > halves;
    assert(positive[0] == 0 && positive[3] == -1);

    v16qu bytes = {250};
    bytes += 10;
    assert(bytes[0] == 4 && bytes[15] == 10);
    // A cast keeps the bytes.
    v8hi shorts = (v8hi)(v4si){0x10002, 0, 0, -1};
    assert(shorts[0] == 2 && shorts[1] == 1 && shorts[7] == -1);
    member.v = a;
    v4si image[] = {a, b, {1}};
    assert(sizeof image == 48 && image[1][2] == 4 && image[2][1] == 0 && member.v[2] == 7);
    assert((1 ? a : b)[2] == 7);
    return 0;
}
