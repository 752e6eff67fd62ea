// check: no-overflow
// run: exit 0
// verdict: TRUE

// The last increment of the loop reaches the limit, and goes no further.
int main(void) {
    int i = 2147483640, rounds = 0;
    while (i < 2147483647) {
        i++;
        ++rounds;
    }
    return rounds == 7 ? 0 : 1;
}
