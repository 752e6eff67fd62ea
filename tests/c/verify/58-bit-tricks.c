// outcomes: 0
// verdict: TRUE

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if ((x ^ y) + 2 * (x & y) != x + y) reach_error();
    if ((x & -x) != 0 && ((x & -x) & ((x & -x) - 1)) != 0) reach_error();
    x ^= y;
    y ^= x;
    x ^= y;
    unsigned a = x, b = y;
    a ^= b;
    b ^= a;
    a ^= b;
    if (a != y || b != x) reach_error();
    return 0;
}
