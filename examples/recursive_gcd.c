// Euclid's algorithm, written recursively.
//
// For all pairs of small positive numbers the result divides both, and no larger number does.
// The bound keeps the depth of the recursion small; the claim itself is about every pair below it.
//
// Expected: Verdict: TRUE

#include <stdlib.h>

#define LIMIT 8

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int condition);

void reach_error(void) { abort(); }

static unsigned gcd(unsigned a, unsigned b) {
    if (b == 0) return a;
    return gcd(b, a % b);
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uchar();
    unsigned b = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(0 < a && a <= LIMIT);
    __VERIFIER_assume(0 < b && b <= LIMIT);

    unsigned g = gcd(a, b);
    if (a % g != 0 || b % g != 0) reach_error();
    for (unsigned d = g + 1; d <= LIMIT; d++) {
        if (a % d == 0 && b % d == 0) reach_error();
    }
    return 0;
}
