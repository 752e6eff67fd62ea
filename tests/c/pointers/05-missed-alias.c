// run: error
// verdict: FALSE

// The write through q hits x only in the second round.
extern void reach_error(void);

int main(void) {
    int x = 0, y = 0;
    int *p = &x, *q = &y;
    for (int i = 0; i < 2; i++) {
        *p = 1;
        *q = 2;
        if (*p != 1) reach_error();
        q = p;
    }
    return 0;
}
