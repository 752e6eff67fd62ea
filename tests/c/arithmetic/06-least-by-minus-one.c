// check: no-overflow
// run: signed_overflow
// verdict: FALSE

// C11 6.5.5p6: the quotient is not representable.
int main(void) {
    int least = -2147483647 - 1, divisor = -1;
    return least / divisor != 0;
}
