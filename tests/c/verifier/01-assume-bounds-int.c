// outcomes: 0 1 2
// verdict: TRUE

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 0 && x < 3);
    if (x < 0 || x > 2) reach_error();
    return x;
}
