// check: valid-arithmetic
// run: invalid_shift
// verdict: FALSE

int main(void) {
    unsigned u = 1;
    signed char by = -1;
    return u << by == 0;
}
