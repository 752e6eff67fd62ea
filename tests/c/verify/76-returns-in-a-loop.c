// outcomes: 0
// verdict: TRUE

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int find(const int *a, int size, int what) {
    for (int i = 0; i < size; i++)
        if (a[i] == what) return i;
    return -1;
}

int main(void) {
    const int a[4] = {2, 3, 5, 7};
    int what = __VERIFIER_nondet_int(), at = find(a, 4, what);
    if (at >= 0 && a[at] != what) reach_error();
    if (at < 0 && (what == 2 || what == 7)) reach_error();
    return 0;
}
