// outcomes: 0 error
// verdict: FALSE

// The array of the second round is not the array of the first: it holds any values.
extern void reach_error(void);

int main(void) {
    for (int i = 0; i < 2; i++) {
        int a[2];
        if (i == 1 && a[0] != 5) reach_error();
        a[0] = 5;
        a[1] = a[0];
    }
    return 0;
}
