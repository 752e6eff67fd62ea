// outcomes: 0
// verdict: TRUE

// As with two variables, on the heap.
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

int main(void) {
    int *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    *first = 0;
    *second = 0;
    _Bool choice = __VERIFIER_nondet_bool();
    int *one = choice ? first : second;
    int *two = !choice ? first : second;
    *one = 1;
    *two = 2;
    if (*first != 1 && *second != 1) reach_error();
    return 0;
}
