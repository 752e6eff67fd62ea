// run: error
// verdict: FALSE

extern void reach_error(void);

int main(void) {
    int i = 1;
    while (i < 10) i += 2;
    if (i != 10) reach_error();
    return 0;
}
