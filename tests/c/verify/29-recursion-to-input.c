// outcomes: 0
// verdict: TRUE

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uchar();
    if (n > 6) n = 6;
    if (sum(n) * 2 != n * (n + 1)) reach_error();
    return 0;
}
