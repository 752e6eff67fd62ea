// run: unsupported
// verdict: TRUE

#include <assert.h>
#include <fenv.h>
#include <stdlib.h>

int main(void) {
    double nearest = 0.3;
    fesetround(FE_UPWARD);
    assert(strtod("0.3", 0) > nearest);
    return 0;
}
