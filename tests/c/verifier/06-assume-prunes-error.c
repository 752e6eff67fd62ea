// outcomes: 7
// verdict: TRUE

// Runs that violate the assumption have no outcome at all.
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    _Bool b = __VERIFIER_nondet_bool();
    __VERIFIER_assume(!b);
    if (b) reach_error();
    return 7;
}
