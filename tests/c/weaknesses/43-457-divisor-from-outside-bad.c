// check: valid-arithmetic
// outcomes: 0 division_by_zero

// CWE-457: a scale keeps no value where its parser finds none.
#ifndef INITIALLY
#define INITIALLY
#endif

extern char __VERIFIER_nondet_char(void);

static void parse_scale(unsigned *scale) {
    char c = __VERIFIER_nondet_char();
    if (c >= '1' && c <= '9') *scale = c - '0';
}

int main(void) {
    unsigned scale INITIALLY;
    parse_scale(&scale);
    return 360 / scale > 360;
}
