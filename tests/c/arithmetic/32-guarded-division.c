// check: valid-arithmetic
// outcomes: 0
// verdict: TRUE

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned divisor = __VERIFIER_nondet_uint();
    if (divisor == 0 || 100 / divisor > 100 || 100 % divisor >= divisor) return 0;
    double zero = 0, infinite = 1 / zero;
    return infinite > 1 ? 0 : 1;
}
