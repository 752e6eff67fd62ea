// check: no-overflow
// run: signed_overflow
// verdict: FALSE

// Both operands are promoted to int, which their product exceeds.
int main(void) {
    unsigned short a = 65535, b = 65535;
    unsigned c = a * b;
    return c == 1 ? 0 : 1;
}
