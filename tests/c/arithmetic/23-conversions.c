// check: no-overflow
// run: exit 0
// verdict: TRUE

// C11 6.3.1.3p3: conversions are implementation-defined, not undefined.
int main(void) {
    unsigned u = 4000000000u;
    int i = u;
    long long wide = 1LL << 40;
    short s = i;
    signed char c = 200;
    i = wide + 5;
    s += 40000;
    return i == 5 && c == -56 && s == s ? 0 : 1;
}
