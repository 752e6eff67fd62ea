// outcomes: 0
// verdict: TRUE

// Whichever variable it is, it had this value before; and the fourth is none of them.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int a = 5, b = 5, c = 5, d = 7;

int main(void) {
    int which = __VERIFIER_nondet_int(), *p = &a;
    if (which == 1) p = &b;
    if (which == 2) p = &c;
    *p = 5;
    if (a != 5 || b != 5 || c != 5) reach_error();
    *p = 6;
    if (d != 7 || a + b + c != 16) reach_error();
    return 0;
}
