// check: no-overflow
// run: signed_overflow
// verdict: FALSE

// gcc folds the expression, but its execution is undefined all the same.
int main(void) {
    return 2147483647 + 1 == 0;
}
