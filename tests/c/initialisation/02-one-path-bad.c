// check: valid-init
// outcomes: 0 1 2 uninitialised_read
// verdict: FALSE

// The default case is missing.
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int result;
    switch (__VERIFIER_nondet_uchar()) {
    case 0: result = 0; break;
    case 1: result = 1; break;
    case 2: result = 2; break;
    }
    return result;
}
