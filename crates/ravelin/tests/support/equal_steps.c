extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned i = 0, j = 0;
    while (i < n) {
        i++;
        j++;
    }
    if (i != j)
        reach_error();
    return 0;
}
