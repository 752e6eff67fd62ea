// check: no-overflow
// run: exit 0
// verdict: TRUE

// C11 6.3.1.1p2: operands narrower than int are promoted, so the sum fits, and only its conversion back changes
// it (6.3.1.3p3).
int main(void) {
    short s = 32767;
    signed char c = -128;
    s++;
    c--;
    c -= 100;
    s = s * s;
    return s == 0 && c == 27 ? 0 : 1;
}
