// outcomes: 0 error
// verdict: FALSE

// As above with an object in memory.
extern void reach_error(void);

static int keep(int set) {
    int x[1];
    int *p = x;
    if (set) *p = 7;
    return *p;
}

int main(void) {
    keep(1);
    if (keep(0) != 7) reach_error();
    return 0;
}
