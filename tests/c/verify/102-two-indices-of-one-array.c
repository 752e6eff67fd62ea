// outcomes: 0
// verdict: TRUE

// As with two variables, as the two elements of an array.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
    int cells[2] = {0, 0};
    _Bool choice = __VERIFIER_nondet_bool();
    int one = choice ? 0 : 1;
    int two = !choice ? 0 : 1;
    cells[one] = 1;
    cells[two] = 2;
    if (cells[0] != 1 && cells[1] != 1) reach_error();
    return 0;
}
