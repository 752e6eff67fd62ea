// outcomes: 0
// verdict: TRUE

// Two pointers to one variable, and a pointer to one of the pointers.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = __VERIFIER_nondet_int(), j = 2;
    int *p = &i, *q = &i, **u = &q;
    if (*p != **u) reach_error();
    *u = &j;
    **u = 7;
    if (q != &j || j != 7 || *p != i || p == q) reach_error();
    return 0;
}
