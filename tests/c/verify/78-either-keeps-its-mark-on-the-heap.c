// outcomes: 0
// verdict: TRUE

#ifndef TURN
#define TURN int
#define INPUT __VERIFIER_nondet_int
#endif

extern TURN INPUT(void);
extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

int main(void) {
    int *left = malloc(sizeof *left), *right = malloc(sizeof *right);
    *left = *right = 0;
    TURN turned = INPUT();
    int *marked = turned ? left : right;
    int *other = !turned ? left : right;
    *marked = 1;
    *other = 2;
    if (*left != 1 && *right != 1) reach_error();
    return 0;
}
