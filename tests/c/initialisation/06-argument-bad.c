// check: valid-init
// outcomes: uninitialised_read
// verdict: FALSE

static int twice(int x) { return 2 * x; }

int main(void) {
    int x;
    return twice(x) & 1;
}
