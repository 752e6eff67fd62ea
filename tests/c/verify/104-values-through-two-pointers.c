// run: exit 0
// verdict: TRUE

// Where the second pointer leads changes in between. A points-to analysis that does not heed order takes
// what is read through it for ambiguous.
extern void reach_error(void);

static int same(int value) { return value; }

int main(void) {
    int i = 0, j = 1, k = 42, *p = &i, *q = &j;
    *p = 2;
    *q = *p;
    if (i != 2 || j != 2) reach_error();
    q = &k;
    i = *q;
    *p = k;
    *q = same(k);
    if (i != 42 || j != 2 || k != 42) reach_error();
    return 0;
}
