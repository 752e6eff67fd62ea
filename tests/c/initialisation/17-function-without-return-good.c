// check: valid-init
// run: exit 0
// verdict: TRUE

// C11 6.9.1p12: undefined only if the caller uses the value.
static int nothing(int x) { x++; }

int main(void) {
    nothing(1);
    return 0;
}
