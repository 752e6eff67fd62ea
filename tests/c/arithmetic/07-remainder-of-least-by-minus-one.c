// check: no-overflow
// run: signed_overflow
// verdict: FALSE

// C11 6.5.5p6: without the quotient, the remainder is undefined, although 0 would fit.
int main(void) {
    long long least = -9223372036854775807LL - 1;
    int divisor = -1;
    least %= divisor;
    return 0;
}
