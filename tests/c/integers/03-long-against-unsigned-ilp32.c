// options: --data-model ILP32
// run: exit 0
// verdict: TRUE

// long and unsigned have the same width, so their common type is unsigned long.
#include <assert.h>

int main(void) {
    long l = -1;
    unsigned u = 1;
    assert(!(l < u));
    assert(sizeof(l + u) == 4);
    assert(l + u == 0);
    assert((0 ? l : u) > 0);
    unsigned long v = 4294967295u;
    assert(v + 1 == 0);
    assert(-1L > 1u);
    assert(sizeof(2147483648) == 8);
    return 0;
}
