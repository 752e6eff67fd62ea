// outcomes: 0 error
// verdict: FALSE

// The second call's variable does not remember the first call.
extern void reach_error(void);

static int keep(int set) {
    int x;
    if (set) x = 7;
    return x;
}

int main(void) {
    keep(1);
    if (keep(0) != 7) reach_error();
    return 0;
}
