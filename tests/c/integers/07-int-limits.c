// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <limits.h>

int main(void) {
    int lo = INT_MIN, hi = INT_MAX;
    assert(lo == -hi - 1);
    assert(lo / 2 == -1073741824);
    assert(lo % 10 == -8);
    assert(lo + hi == -1);
    assert((unsigned)lo == 2147483648u);
    assert((long long)lo == -2147483648LL);
    assert(-(long long)lo == 2147483648LL);
    assert(0u - (unsigned)lo == (unsigned)lo);
    assert(LLONG_MIN / 2 == -4611686018427387904LL);
    assert(SCHAR_MIN == -128 && SHRT_MIN == -32768);
    assert(UINT_MAX == ~0u && ULLONG_MAX == ~0ull);
    return 0;
}
