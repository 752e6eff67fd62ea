// check: no-overflow
// run: exit 0
// verdict: TRUE

// The largest shifts that fit, and shifts to the right, of any number.
int main(void) {
    unsigned char byte = 255;
    int one = 1, negative = -5;
    long long wide = 1;
    int a = byte << 23, b = one << 30;
    wide <<= 62;
    negative >>= 1;
    unsigned u = (unsigned) byte << 24;
    return a == 2139095040 && b == 1 << 30 && wide > 0 && negative == -3 && u == 0xff000000u ? 0 : 1;
}
