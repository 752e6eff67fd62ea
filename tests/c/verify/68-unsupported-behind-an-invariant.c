// outcomes: 0
// verdict: TRUE

// What is not modelled cannot be reached, but one has to know why.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int fork(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), x = 0;
    for (int i = 0; i < n && i < 8; i++) x += 2;
    if (x % 2) x = fork();
    if (x < 0 || x > 16) reach_error();
    return 0;
}
