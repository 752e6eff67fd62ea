// outcomes: 0
// verdict: TRUE

// The loop stops exactly at the bound, which is any number that is not negative.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    if (n < 0) n = 0;
    while (i < n) i++;
    if (i != n) reach_error();
    return 0;
}
