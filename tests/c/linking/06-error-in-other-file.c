// run: error
// verdict: FALSE

extern int check(int);

int main(void) {
    for (int i = 0; i < 5; i++) check(i);
    return 0;
}
