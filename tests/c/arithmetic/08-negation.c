// check: no-overflow
// run: signed_overflow
// verdict: FALSE

int main(void) {
    int x = -2147483647;
    x = -x;
    x = -x;
    x--;
    x = -x;
    return 0;
}
