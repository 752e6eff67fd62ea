// run: error
// verdict: FALSE

// The classic: (a + b) / 2 in unsigned arithmetic wraps.
#include <assert.h>

static unsigned average(unsigned a, unsigned b) { return (a + b) / 2; }

int main(void) {
    assert(average(2, 4) == 3);
    assert(average(4294967295u, 4294967293u) == 4294967294u);
    return 0;
}
