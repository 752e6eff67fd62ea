// outcomes: 0
// verdict: TRUE

extern int __VERIFIER_nondet_int(void);
extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

int main(void) {
    int *left = malloc(sizeof *left), *right = malloc(sizeof *right);
    *left = *right = 0;
    int turned = __VERIFIER_nondet_int();
    int *marked = turned ? left : right;
    int *other = !turned ? left : right;
    *marked = 1;
    *other = 2;
    if (*left != 1 && *right != 1) reach_error();
    return 0;
}
