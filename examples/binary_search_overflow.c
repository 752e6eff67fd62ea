// The midpoint bug that sat in textbooks and standard libraries for decades.
//
// The middle of two indices is computed as (low + high) / 2. For large indices the sum wraps
// around and the "middle" lies outside the range. No test with a small array ever finds it.
//
// Expected: Verdict: FALSE(unreach-call)
// With `low + (high - low) / 2` the verdict is TRUE.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int condition);

static unsigned midpoint(unsigned low, unsigned high) {
    return (low + high) / 2;
}

int main(void) {
    // Any non-empty range of indices.
    unsigned low = __VERIFIER_nondet_uint();
    unsigned high = __VERIFIER_nondet_uint();
    __VERIFIER_assume(low < high);

    unsigned middle = midpoint(low, high);
    assert(low <= middle && middle < high);
    return 0;
}
