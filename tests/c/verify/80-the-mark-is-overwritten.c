// outcomes: 0 error
// verdict: FALSE

// The second choice is free: now and then both pointers are the same.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int left = 0, right = 0;
    int *marked = __VERIFIER_nondet_int() ? &left : &right;
    int *other = __VERIFIER_nondet_int() ? &left : &right;
    *marked = 1;
    *other = 2;
    if (left != 1 && right != 1) reach_error();
    return 0;
}
