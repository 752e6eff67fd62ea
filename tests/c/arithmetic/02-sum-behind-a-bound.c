// check: no-overflow
// outcomes: 0
// verdict: TRUE

// The bounds leave room for the sum, and for the difference.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < -1000000000 || a > 1000000000 || b < -1000000000 || b > 1000000000) return 0;
    int c = a + b, d = a - b;
    return c - d == c ? 0 : 0;
}
