// check: no-overflow
// run: signed_overflow
// verdict: FALSE

// With a negative enumerator, gcc's type of the enumeration is int.
enum sign { NEGATIVE = -1, POSITIVE = 1 };

int main(void) {
    enum sign sign = 2147483647;
    sign = sign + POSITIVE;
    return 0;
}
