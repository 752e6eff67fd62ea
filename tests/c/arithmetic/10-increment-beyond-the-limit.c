// check: no-overflow
// run: signed_overflow
// verdict: FALSE

// `<=` holds of every int.
int main(void) {
    int rounds = 0;
    for (int i = 2147483640; i <= 2147483647; i++) rounds = 1;
    return rounds;
}
