// run: exit 0
// verdict: TRUE

// Type-generic macros look at the type of their argument: what is subnormal as a float is normal as
// a double.
#include <assert.h>
#include <math.h>

int main(void) {
    float tiny = 1e-40f;
    assert(tiny != 0.0f);
    assert(!isnormal(tiny) && isnormal((double)tiny));
    assert(!__builtin_isnormal(tiny));
    assert(fpclassify(tiny) == FP_SUBNORMAL && fpclassify((double)tiny) == FP_NORMAL);
    assert(isfinite(tiny) && !isnan(tiny) && !signbit(tiny) && signbit(-tiny));
    assert(isgreater((double)1e-50, 0.0f) && isless(tiny, 1));
    return 0;
}
