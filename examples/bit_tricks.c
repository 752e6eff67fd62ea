// Well-known bit tricks, checked for all 2^32 inputs at once.
//
// Each trick is compared with a plain definition of what it should compute. Integers are exact
// machine words here, so wrap-around and sign bits count.
//
// Expected: Verdict: TRUE

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static _Bool is_power_of_two(unsigned x) { return x != 0 && (x & (x - 1)) == 0; }

static unsigned lowest_bit(unsigned x) { return x & -x; }

static unsigned average(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }

static int sign_differs(int a, int b) { return (a ^ b) < 0; }

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = __VERIFIER_nondet_uint();

    // A power of two is its own lowest bit, and no other number is.
    assert(is_power_of_two(x) == (x != 0 && lowest_bit(x) == x));

    // Clearing the lowest bit and adding it again changes nothing.
    assert((x & (x - 1)) + lowest_bit(x) == x);

    // The average without overflow agrees with the one computed in a wider type.
    assert(average(x, y) == (unsigned)(((unsigned long long)x + y) / 2));

    assert(sign_differs((int)x, (int)y) == (((int)x < 0) != ((int)y < 0)));

    // Exchange without a third variable.
    unsigned a = x, b = y;
    a ^= b;
    b ^= a;
    a ^= b;
    assert(a == y && b == x);
    return 0;
}
