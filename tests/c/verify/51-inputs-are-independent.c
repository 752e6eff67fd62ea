// outcomes: 0 error
// verdict: FALSE

// All three inputs can be different, though the arms take different numbers of them.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = 0;
    if (a > 1) b = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();
    if (a == 2 && b == 3 && c == 7) reach_error();
    return 0;
}
