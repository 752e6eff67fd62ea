// run: exit 0
// verdict: TRUE

// Each round exchanges two pointers, not what they point to.
extern void reach_error(void);

static void exchange(int **a, int **b) {
    int *t = *a;
    *a = *b;
    *b = t;
}

int main(void) {
    int x = 1, y = 2, *p = &x, *q = &y;
    for (int i = 0; i < 5; i++) {
        exchange(&p, &q);
        *p += 10;
    }
    if (p != &y || q != &x || x != 21 || y != 32) reach_error();
    return 0;
}
