// outcomes: 0 error
// verdict: FALSE

// Words at any offset of a buffer may have some bytes in common.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static char buffer[16];

int main(void) {
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i > 4 || j < 0 || j > 4) return 0;
    *(int *)(buffer + i) = 0x01010101;
    *(int *)(buffer + j) = 0;
    int found = *(int *)(buffer + i);
    if (found != 0x01010101 && found != 0) reach_error();
    return 0;
}
