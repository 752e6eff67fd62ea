// outcomes: 0
// verdict: TRUE

// The arms take different numbers of inputs, and the next input is a new one on both ways.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = 0, c = 0;
    if (a > 0) {
        b = __VERIFIER_nondet_int();
        c = __VERIFIER_nondet_int();
    } else {
        c = 1;
    }
    int d = __VERIFIER_nondet_int();
    if (a > 0 && b == 2 && c == 3 && d == 2) {
        if (a <= 0 || b != d || c == d) reach_error();
    }
    if (a <= 0 && (b != 0 || c != 1)) reach_error();
    return 0;
}
