// run: exit 0
// verdict: TRUE

// long double is the 80-bit x87 format with gcc on x86: 64 bits of significand.
#include <assert.h>

int main(void) {
    long double big = 9007199254740992.0L;
    assert(big + 1 != big);
    assert((double)(big + 1) == 9007199254740992.0);
    long double x = 1.5L;
    assert(x * 2 == 3);
    assert((int)(x * -1) == -1);
    assert((long double)18446744073709551615ull == 18446744073709551615.0L);
    long double y = 0.1L;
    assert(y != 0.1);
    assert((double)y == 0.1);
    assert(sizeof(x + 1.0) == sizeof(long double));
    return 0;
}
