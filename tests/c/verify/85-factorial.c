// outcomes: 0
// verdict: TRUE

// Factorials are positive as long as they fit, and even from two on.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_uchar() % 6, m = n, f = 1;
    while (n > 0) {
        f *= n;
        n--;
    }
    if (f <= 0) reach_error();
    if (m >= 2 && f % 2 != 0) reach_error();
    return 0;
}
