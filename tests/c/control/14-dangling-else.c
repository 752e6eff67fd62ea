// run: exit 0
// verdict: TRUE

extern void reach_error(void);

static int nested(int a, int b) {
    int r = 0;
    if (a)
        if (b) r = 1;
        else r = 2;
    return r;
}

static int chain(int x) {
    if (x < 0) return -1;
    else if (x == 0) return 0;
    else if (x < 10) { if (x == 5) return 5; }
    else return 10;
    return 1;
}

int main(void) {
    if (nested(0, 0) != 0 || nested(1, 0) != 2 || nested(1, 1) != 1) reach_error();
    if (chain(-4) != -1 || chain(0) != 0 || chain(3) != 1 || chain(5) != 5) reach_error();
    if (chain(12) != 10) reach_error();
    return 0;
}
