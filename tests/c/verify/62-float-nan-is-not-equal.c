// outcomes: 0 error
// verdict: FALSE

extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void) {
    float x = __VERIFIER_nondet_float(), y = x;
    if (x != y) reach_error();
    return 0;
}
