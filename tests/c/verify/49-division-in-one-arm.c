// outcomes: 0 error
// verdict: FALSE

// That one arm divides must not keep the other from being taken.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int d = __VERIFIER_nondet_int(), q;
    if (d > 0)
        q = 100 / d;
    else
        q = 1;
    if (d == 0 && q == 1) reach_error();
    return 0;
}
