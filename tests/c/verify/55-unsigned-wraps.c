// outcomes: 0 error
// verdict: FALSE

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x + 1 < x) reach_error();
    return 0;
}
