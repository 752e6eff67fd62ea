// check: no-overflow
// run: signed_overflow
// verdict: FALSE

// The product is an int, whatever its target is.
int main(void) {
    int thousands = 100000;
    long long product = thousands * thousands;
    return product == 0;
}
