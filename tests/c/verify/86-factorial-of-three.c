// outcomes: 0 error
// verdict: FALSE

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_uchar() % 6, f = 1;
    while (n > 0) {
        f *= n;
        n--;
    }
    if (f == 6) reach_error();
    return 0;
}
