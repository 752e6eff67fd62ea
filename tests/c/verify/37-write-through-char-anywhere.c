// outcomes: 0 error
// verdict: FALSE

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned x = 0, y = 0;
    unsigned char *bytes = (unsigned char *)&x;
    bytes[__VERIFIER_nondet_uchar() % 4] = __VERIFIER_nondet_uchar();
    if (y != 0) reach_error();
    if (x == 0x00070000) reach_error();
    return 0;
}
