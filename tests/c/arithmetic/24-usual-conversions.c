// check: no-overflow
// run: exit 0
// verdict: TRUE

// C11 6.3.1.8: with an unsigned operand the operation is unsigned, with a wider one it is wider.
int main(void) {
    int max = 2147483647;
    unsigned one = 1;
    long long wide = 1;
    unsigned a = max + one;
    long long b = max + wide, c = (long long) max * max;
    return a == 2147483648u && b == 2147483648LL && c > 0 ? 0 : 1;
}
