// run: exit 0
// verdict: UNKNOWN

// A number from outside that turns out to be the address of a variable is kept beyond the variable's life: what is read
// there is undefined.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
static int *kept;

static void keep(void) {
    int x = 1;
    int *guess = (int *)__VERIFIER_nondet_ulong();
    if (guess == &x) kept = guess;
}

int main(void) {
    keep();
    if (kept && *kept != 1) reach_error();
    return 0;
}
