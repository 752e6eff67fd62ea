// check: valid-init
// outcomes: 0 1 2
// verdict: TRUE

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int result;
    switch (__VERIFIER_nondet_uchar()) {
    case 0: result = 0; break;
    case 1: result = 1; break;
    default: result = 2; break;
    }
    return result;
}
