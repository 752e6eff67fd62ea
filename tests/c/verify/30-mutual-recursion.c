// outcomes: 0
// verdict: TRUE

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uchar() % 8;
    if (is_even(n) != (n % 2 == 0)) reach_error();
    if (is_even(n) == is_odd(n)) reach_error();
    return 0;
}
