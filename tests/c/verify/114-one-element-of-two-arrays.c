// outcomes: 0
// verdict: TRUE

// A write through a pointer that leads to one of two arrays, at an index that is an input, changes one element.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[4] = {0}, b[4] = {0};
    int *p = __VERIFIER_nondet_int() ? a : b;
    unsigned i = __VERIFIER_nondet_int() & 3;
    p[i] = 7;
    int sum = 0;
    for (int k = 0; k < 4; k++) sum += a[k] + b[k];
    if (sum != 7) reach_error();
    return 0;
}
