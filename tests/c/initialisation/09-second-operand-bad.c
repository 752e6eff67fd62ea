// check: valid-init
// outcomes: 1 uninitialised_read
// verdict: FALSE

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int x, flag = __VERIFIER_nondet_uchar() > 100;
    return !(flag && x > 3);
}
