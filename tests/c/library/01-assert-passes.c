// run: exit 0
// verdict: TRUE

// The argument of assert is evaluated exactly once.
#include <assert.h>

int main(void) {
    int n = 0;
    assert(++n);
    assert(n == 1 || !"message");
    assert(("explained", n));
    int *p = &n;
    assert(p);
    assert(0.5);
    return 0;
}
