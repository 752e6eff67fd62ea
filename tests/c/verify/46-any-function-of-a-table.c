// outcomes: 0
// verdict: TRUE

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int same(int x) { return x; }

static int (*const table[])(int) = {twice, square, same};

int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 3;
    int y = table[i](3);
    if (y != 6 && y != 9 && y != 3) reach_error();
    if (i == 1 && y != 9) reach_error();
    return 0;
}
