// check: no-overflow valid-arithmetic
// run: signed_overflow
// verdict: FALSE

// The effects of the operands come before the check, and the check before what uses the result.
int zero = 1;

int clear(void) {
    zero = 0;
    return 1;
}

int main(void) {
    int max = 2147483647;
    if (clear() && max + 1 && 5 / zero) return 1;
    return 0;
}
