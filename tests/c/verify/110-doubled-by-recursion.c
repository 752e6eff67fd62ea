// run: long
// verdict: FALSE

// Doubled often enough, a number is zero; of numbers without end it would not be.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned doubled(unsigned times, unsigned number) {
    if (times == 0) return number;
    return doubled(times - 1, number + number);
}

int main(void) {
    unsigned times = __VERIFIER_nondet_uint();
    if (doubled(times, 1) < 1) reach_error();
    return 0;
}
