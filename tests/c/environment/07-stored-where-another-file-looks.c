// outcomes: 0 invalid-memory
// verdict: FALSE

// Another file defines `there`, so its functions know where `x` is.
extern void reach_error(void);
extern int *there[2];
extern int *recall(void);

int main(void) {
    int x = 0;
    there[1] = &x;
    int *q = recall();
    x = 0;
    *q = 5;
    if (x == 5) reach_error();
    return 0;
}
