// run: exit 0
// verdict: TRUE

// Plain int bit-fields are signed with gcc; values are cut to the width on store.
#include <assert.h>

struct flags {
    unsigned a : 3;
    int b : 3;
    signed int c : 1;
    unsigned d : 1;
    unsigned char e : 5;
};

int main(void) {
    struct flags f = {0};
    f.a = 9;
    assert(f.a == 1);
    f.b = 3;
    assert(f.b == 3);
    f.b = 4;
    assert(f.b == -4);
    f.c = 1;
    assert(f.c == -1);
    f.d = 3;
    assert(f.d == 1);
    f.e = 31;
    f.e++;
    assert(f.e == 0);
    assert(f.a == 1 && f.b == -4 && f.c == -1 && f.d == 1);
    f.a--;
    f.a--;
    assert(f.a == 7);
    assert((f.a += 2) == 1);
    assert(f.a - 2 < 0);
    f.b *= 2;
    assert(f.b == 0);
    int assigned = (f.b = 13);
    assert(assigned == -3);
    struct flags g = f;
    g.a = 5;
    assert(f.a == 1 && g.b == -3 && g.e == 0);
    return 0;
}
