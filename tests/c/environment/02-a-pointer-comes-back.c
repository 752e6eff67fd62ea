// outcomes: 0 invalid-memory
// verdict: FALSE

// The function may return the pointer that it gets.
extern void reach_error(void);
extern int *same(int *place);

int main(void) {
    int x = 0;
    int *q = same(&x);
    x = 1;
    *q = 5;
    if (x == 5) reach_error();
    return 0;
}
