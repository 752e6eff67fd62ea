// outcomes: 0
// verdict: TRUE

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
    int a = 1, b = 2;
    _Bool c = __VERIFIER_nondet_bool();
    int *p = c ? &a : &b;
    *p = 9;
    if (c && (a != 9 || b != 2)) reach_error();
    if (!c && (a != 1 || b != 9)) reach_error();
    return 0;
}
