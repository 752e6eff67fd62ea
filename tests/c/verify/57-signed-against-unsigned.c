// outcomes: 0 error
// verdict: FALSE

// -1 is the largest unsigned number.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned limit = 10;
    if (x < 10 && x > limit) reach_error();
    return 0;
}
