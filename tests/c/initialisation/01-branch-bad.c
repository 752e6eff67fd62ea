// check: valid-init
// outcomes: uninitialised_read
// verdict: FALSE

int main(void) {
    int x;
    if (x > 3) return 1;
    return 0;
}
