// outcomes: 0
// verdict: TRUE

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned s = __VERIFIER_nondet_uint() % 31;
    unsigned one = 1u << s;
    if (one >> s != 1) reach_error();
    int negative = -64 >> (s % 6);
    if (negative >= 0) reach_error();
    if (one == 0 || (one & (one - 1)) != 0) reach_error();
    return 0;
}
