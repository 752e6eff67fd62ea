// run: exit 0
// verdict: TRUE

// Members of an rvalue struct, array members included.
#include <assert.h>

struct vector { int v[3]; int length; };
struct small { char a, b, c; };

static struct vector make(int n) {
    struct vector r = {.length = n};
    for (int i = 0; i < n; i++) r.v[i] = i + n;
    return r;
}
static struct small shrink(int x) { return (struct small){x, x + 1, x + 2}; }

int main(void) {
    assert(make(3).v[2] == 5);
    assert(make(2).length == 2);
    assert(shrink(255).a == -1 && shrink(255).b == 0);
    struct vector a = make(1), b = make(3);
    assert((a.length > b.length ? a : b).v[1] == 4);
    assert((a = b).v[0] == 3 && a.length == 3);
    struct vector (*f)(int) = make;
    assert(f(2).v[1] == 3);
    return 0;
}
