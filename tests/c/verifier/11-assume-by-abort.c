// outcomes: 3 4 134
// verdict: TRUE

// Assumptions written as abort: the other runs end, without an error.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void assume_abort_if_not(int condition) {
    if (!condition) abort();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x == 3 || x == 4);
    if (x * x != 9 && x * x != 16) reach_error();
    return x;
}
