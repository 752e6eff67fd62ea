// outcomes: 0 error
// verdict: FALSE

// The negation of INT_MIN in unsigned arithmetic is itself, the one case that breaks the claim.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned magnitude = x < 0 ? -(unsigned)x : (unsigned)x;
    if (magnitude > 2147483647u) reach_error();
    return 0;
}
