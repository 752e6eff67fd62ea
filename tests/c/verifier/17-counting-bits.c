// run: exit 0
// verdict: TRUE

// Two ways of counting bits agree on every byte.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    int slow = 0, fast = 0;
    for (int i = 0; i < 8; i++) slow += x >> i & 1;
    for (unsigned char y = x; y; y &= y - 1) fast++;
    if (slow != fast) reach_error();
    return 0;
}
