// run: exit 5
// verdict: TRUE

// With NDEBUG the argument disappears, side effects included (C11 7.2p1).
#define NDEBUG
#include <assert.h>

int main(void) {
    int n = 5;
    assert(n++ == 0);
    assert(0);
    return n;
}
