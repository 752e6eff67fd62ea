// run: error
// verdict: FALSE

// With a static local all activations write the same object.
#ifndef MINE
#define MINE static int mine; mine
#endif

extern void reach_error(void);

static int down(int n, int *above) {
    MINE = n;
    if (n > 0) down(n - 1, &mine);
    *above += 1;
    return mine;
}

int main(void) {
    int top = 0;
    int result = down(3, &top);
    if (top != 1 || result != 4) reach_error();
    return 0;
}
