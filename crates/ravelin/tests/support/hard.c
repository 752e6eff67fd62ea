extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), s = 1, t = 2, i = 0;
    while (i < n) {
        s = s * s + t;
        t = t * s + n;
        i++;
    }
    if (s * t == 12345u && n > 1000u)
        reach_error();
    return 0;
}
