// run: error
// verdict: FALSE

// After a hundred flips it is where it began.
extern void reach_error(void);

int main(void) {
    int flag = 0;
    for (int round = 0; round < 100; round++) flag = !flag;
    if (flag != 1) reach_error();
    return 0;
}
