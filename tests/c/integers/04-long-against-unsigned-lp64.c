// options: --data-model LP64
// run: exit 0
// verdict: TRUE

// long holds every unsigned int, so the common type is long and the comparison is signed.
#include <assert.h>

int main(void) {
    long l = -1;
    unsigned u = 1;
    assert(l < u);
    assert(sizeof(l + u) == 8);
    assert(l + u == 0);
    unsigned long v = 4294967295u;
    assert(v + 1 == 4294967296ul);
    assert(-1L < 1u);
    assert(sizeof(2147483648) == 8);
    return 0;
}
