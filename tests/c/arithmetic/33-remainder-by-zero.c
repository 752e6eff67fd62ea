// check: valid-arithmetic
// run: division_by_zero
// verdict: FALSE

int main(void) {
    unsigned long long a = 5;
    unsigned char b = 0;
    a %= b;
    return 0;
}
