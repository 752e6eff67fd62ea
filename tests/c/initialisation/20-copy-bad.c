// check: valid-init
// outcomes: uninitialised_read
// verdict: FALSE

// C11 6.3.2.1p2: a copy is a read.
int main(void) {
    int x, y;
    y = x;
    return 0;
}
