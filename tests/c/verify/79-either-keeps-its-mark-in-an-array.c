// outcomes: 0
// verdict: TRUE

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int cell[2] = {0, 0};
    int turned = __VERIFIER_nondet_int();
    int marked = turned ? 0 : 1, other = !turned ? 0 : 1;
    cell[marked] = 1;
    cell[other] = 2;
    if (cell[0] != 1 && cell[1] != 1) reach_error();
    return 0;
}
