// run: error
// verdict: FALSE

// gcc calls the function first.
extern void reach_error(void);
static int x = 2;

static int f(void) {
    x = 4;
    return 1;
}

int main(void) {
    int y = x + f();
    if (y == 5) reach_error();
    return 0;
}
