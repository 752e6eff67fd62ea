// check: no-overflow
// run: signed_overflow
// verdict: FALSE

// C11 6.5.7p4: a left shift of a negative number is undefined, even by 0.
int main(void) {
    int x = -1, by = 0;
    x <<= by;
    return 0;
}
