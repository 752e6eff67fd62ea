// outcomes: 0 error
// verdict: FALSE

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
    int a = 1, b = 2;
    int *p = __VERIFIER_nondet_bool() ? &a : &b;
    *p = 9;
    if (a == 9 && b != 9) reach_error();
    return 0;
}
