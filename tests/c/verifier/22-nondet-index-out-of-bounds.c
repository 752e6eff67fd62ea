// outcomes: 1 2 invalid-memory

// i may be 2, one past the end.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int a[2] = {1, 2};
    unsigned char i = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(i <= 2);
    return a[i];
}
