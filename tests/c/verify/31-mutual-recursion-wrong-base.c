// outcomes: 0 error
// verdict: FALSE

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n <= 1 ? 1 : is_even(n - 1); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uchar() % 8;
    if (is_even(n) != (n % 2 == 0)) reach_error();
    return 0;
}
