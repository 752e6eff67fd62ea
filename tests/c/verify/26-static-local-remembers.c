// run: exit 0
// verdict: TRUE

extern void reach_error(void);

static int keep(int set) {
    static int x = 1;
    if (set) x += 6;
    return x;
}

int main(void) {
    keep(1);
    if (keep(0) != 7) reach_error();
    return 0;
}
