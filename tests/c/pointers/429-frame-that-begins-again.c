// run: invalid-memory
// verdict: UNKNOWN

// The same for a variable of a recursive function: the second call of depth two is another one.
extern void reach_error(void);
static int *old;

static int down(int n) {
    int x = n;
    if (n == 0) {
        if (old && *old != 0) reach_error();
        old = &x;
        return 0;
    }
    return down(n - 1);
}

int main(void) {
    down(2);
    down(2);
    return 0;
}
