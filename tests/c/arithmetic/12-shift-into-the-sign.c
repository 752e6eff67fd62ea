// check: no-overflow
// run: signed_overflow
// verdict: FALSE

// C11 6.5.7p4: 2^31 is no int. The byte is promoted to int.
int main(void) {
    unsigned char byte = 128;
    unsigned word = byte << 24u;
    return word == 0x80000000u ? 0 : 1;
}
