// outcomes: 0
// verdict: TRUE

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x <= 4294967290u);
    unsigned y = x;
    for (int i = 0; i < 5; i++) y++;
    if (y <= x || y - x != 5) reach_error();
    return 0;
}
