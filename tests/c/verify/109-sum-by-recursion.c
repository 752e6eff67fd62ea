// run: long
// verdict: TRUE

// One number is moved to the other step by step; their sum stays, also where it is too large.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned moved(unsigned from, unsigned to) {
    if (from == 0) return to;
    return moved(from - 1, to + 1);
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (moved(a, b) != a + b) reach_error();
    return 0;
}
