// check: valid-init
// outcomes: uninitialised_read
// verdict: FALSE

// The variable of the block begins anew in each round.
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x;
        if (i == 0) x = 1;
        sum += x;
    }
    return sum;
}
