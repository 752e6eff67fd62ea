// outcomes: 0 error
// verdict: FALSE

// One value in four billion; found by a solver, not by luck.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_int();
    if ((x ^ 0x5a5a5a5a) * 3 == 0x12345678) reach_error();
    return 0;
}
