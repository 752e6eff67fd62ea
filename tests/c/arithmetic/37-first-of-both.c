// check: no-overflow valid-arithmetic
// run: division_by_zero
// verdict: FALSE

// The first violation along the execution counts.
int main(void) {
    int max = 2147483647, zero = 0;
    int a = max / zero;
    return a + max;
}
