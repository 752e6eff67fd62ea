// outcomes: 0 1 2 3
// verdict: TRUE

// A nondeterministic _Bool is 0 or 1, never another byte; each call is independent.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_bool();
    int b = __VERIFIER_nondet_bool();
    if (a != 0 && a != 1) reach_error();
    return 2 * a + b;
}
