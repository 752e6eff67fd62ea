// outcomes: 0 1 2
// verdict: TRUE

// Any bit pattern: NaN is the only value that differs from itself.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    if (f != f) return 0;
    if ((double)f != f) reach_error();
    if (d > 1.0 && d + 1.0 < d) reach_error();
    return f < 0 ? 1 : 2;
}
