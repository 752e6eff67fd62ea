// outcomes: 0 error
// verdict: FALSE

// A new object in each round: the pointer kept from the round before points to none of this round's
// contents, and what is read from the new object is any value.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned char last = 0;
    for (int i = 0; i < 3; i++) {
        unsigned char buffer[3];
        if (i > 0 && buffer[1] != last) reach_error();
        buffer[1] = last = __VERIFIER_nondet_uchar();
    }
    return 0;
}
