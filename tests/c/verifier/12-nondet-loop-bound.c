// outcomes: 0 1 3 6
// verdict: TRUE

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uchar(), sum = 0;
    __VERIFIER_assume(n <= 3);
    for (unsigned i = 1; i <= n; i++) sum += i;
    if (sum != n * (n + 1) / 2) reach_error();
    return sum;
}
