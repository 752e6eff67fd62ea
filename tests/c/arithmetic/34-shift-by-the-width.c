// check: valid-arithmetic
// run: invalid_shift
// verdict: FALSE

// C11 6.5.7p3: the width is that of the promoted left operand, whatever the amount's type is.
int main(void) {
    unsigned char byte = 1;
    unsigned long long by = 31;
    unsigned a = byte >> by;
    by++;
    a = byte >> by;
    return a;
}
