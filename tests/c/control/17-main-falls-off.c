// run: exit 0
// verdict: TRUE

// C11 5.1.2.2.3: reaching the closing brace of main returns 0.
static int x;

int main(void) {
    x = 5;
    if (x == 6) return 1;
}
