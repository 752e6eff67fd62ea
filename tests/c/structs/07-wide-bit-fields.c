// run: exit 0
// verdict: TRUE

#include <assert.h>

struct wide {
    unsigned long long a : 40;
    long long b : 20;
    unsigned long long c : 60;
    _Bool d : 1;
};
enum color { RED, GREEN, BLUE };
struct tagged { enum color color : 2; unsigned rest : 30; };

int main(void) {
    struct wide w = {0xffffffffffull, -1, 0, 2};
    assert(w.a == 0xffffffffffull && w.b == -1 && w.c == 0 && w.d == 1);
    w.a += 1;
    assert(w.a == 0);
    w.c = ~0ull;
    assert(w.c == 0xfffffffffffffffull);
    w.b = 1 << 19;
    assert(w.b == -524288);
    w.d = 0;
    assert(w.c >> 59 == 1 && !w.d);
    // A 40-bit field keeps its 40-bit type in gcc's arithmetic, so the shift drops high bits.
    w.a = 0x8000000000ull;
    assert(w.a << 1 == 0 && w.a + w.a == 0 && w.a * 2ull != 0);
    // A narrow one becomes an int, whatever its declared type, as does the value of an assignment.
    struct { unsigned long long n : 11; } s = {0};
    assert(s.n - 1 < 0 && (s.n = 1) - 2 < 0 && (0 ? s.n : 1) - 2 < 0);
    struct tagged t = {BLUE, 1};
    t.rest = 0x3fffffff;
    assert(t.color == BLUE && t.rest == 0x3fffffff);
    return 0;
}
