// outcomes: 0
// verdict: TRUE

// The division is evaluated only where the divisor is not zero.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int d = __VERIFIER_nondet_int(), q = 0;
    if (d != 0 && d != -1) q = 100 / d;
    int r = d > 0 ? 100 % d : 0;
    if (d > 100 && q != 0) reach_error();
    if (d > 0 && q * d + r != 100) reach_error();
    return 0;
}
