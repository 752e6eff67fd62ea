// run: long
// verdict: TRUE

// The result of a call is what the next is called with, and a global counts them.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static unsigned calls;

static int down(int n) {
    calls++;
    if (n > 50) return n - 5;
    return down(down(n + 6));
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    int result = down(n);
    if (result < 46) reach_error();
    return 0;
}
