// run: unsupported
// verdict: TRUE

// C does not say how these functions round, but what their results can be.
double sin(double x);
double exp(double x);
double log2(double x);
double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
    double x = __VERIFIER_nondet_double(), s = sin(x);
    if (!(s >= -1 && s <= 1) && x - x == 0) reach_error();
    if (exp(x) < 0) reach_error();
    if (x > 1 && !(log2(x) >= 0)) reach_error();
    return 0;
}
