// outcomes: 0 error
// verdict: FALSE

// A frame of the second descent stands where one of the first stood, but remembers nothing of it.
extern void reach_error(void);

static int keep(int depth, int set) {
    int x;
    if (depth > 0) return keep(depth - 1, set);
    if (set) x = 7;
    return x;
}

int main(void) {
    if (keep(2, 1) != 7) reach_error();
    if (keep(2, 0) != 7) reach_error();
    return 0;
}
