// outcomes: 7 error
// verdict: FALSE

// An assumption does not reach back in time.
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    _Bool b = __VERIFIER_nondet_bool();
    if (b) reach_error();
    __VERIFIER_assume(!b);
    return 7;
}
