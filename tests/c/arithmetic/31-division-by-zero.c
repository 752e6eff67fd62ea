// check: valid-arithmetic
// outcomes: 0 division_by_zero
// verdict: FALSE

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int divisor = __VERIFIER_nondet_int();
    int quotient = 100 / divisor;
    return quotient * divisor <= 100 ? 0 : 0;
}
