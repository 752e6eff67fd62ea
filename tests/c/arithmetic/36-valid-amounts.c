// check: valid-arithmetic
// run: exit 0
// verdict: TRUE

// Overflow violates another property: here of a shift and of an increment.
int main(void) {
    int negative = -1, by = 31, max = 2147483647;
    negative <<= by;
    max++;
    unsigned long long wide = 1ULL << 63;
    return max < 0 && wide >> 63 == 1 && negative < 0 ? 0 : 1;
}
