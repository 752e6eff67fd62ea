// run: exit 111
// verdict: TRUE

// A loop whose trip count is data dependent: 27 needs 111 steps.
int main(void) {
    unsigned n = 27;
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}
