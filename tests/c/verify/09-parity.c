// run: long
// verdict: TRUE

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned x = 6;
    while (__VERIFIER_nondet_int()) x += 2;
    if (x % 2 != 0) reach_error();
    return 0;
}
