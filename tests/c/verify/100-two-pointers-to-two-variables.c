// outcomes: 0
// verdict: TRUE

// Each of two pointers leads to one of two variables, never both to the same: one of them is 1 at the end.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
    int first = 0, second = 0;
    _Bool choice = __VERIFIER_nondet_bool();
    int *one = choice ? &first : &second;
    int *two = !choice ? &first : &second;
    *one = 1;
    *two = 2;
    if (first != 1 && second != 1) reach_error();
    return 0;
}
