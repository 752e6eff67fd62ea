// run: long
// verdict: TRUE

// Rounds that violate the assumption do not happen.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int low = 0, high = 100;
    while (low < high) {
        int x = __VERIFIER_nondet_int();
        __VERIFIER_assume(x >= low && x < high);
        low = x + 1;
        if (low > 100) reach_error();
    }
    if (low != high) reach_error();
    return 0;
}
