// check: no-overflow
// outcomes: 0 signed_overflow
// verdict: FALSE

// C11 6.5p5: two inputs may be too large together.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int c = a + b;
    return c == c ? 0 : 1;
}
