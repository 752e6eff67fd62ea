// check: no-overflow
// run: exit 0
// verdict: TRUE

// An invalid amount violates valid-arithmetic, not no-overflow.
int main(void) {
    int one = 1, width = 32, negative = -1;
    int a = one << width;
    int b = one >> negative;
    return a == a && b == b ? 0 : 1;
}
