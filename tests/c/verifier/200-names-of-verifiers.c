// outcomes: 0
// verdict: TRUE

// Assertions, assumptions and inputs of other verifiers mean what they mean there, declared or not.
extern void __CPROVER_assert(_Bool condition, const char *description);
extern void __goblint_check(int condition);
unsigned char nondet_uchar(void);
struct pair {
    unsigned char a, b;
} nondet_pair(void);

int main(void) {
    unsigned char x = nondet_uchar();
    struct pair p = nondet_pair();
    __CPROVER_size_t n = sizeof p;
    __CPROVER_assert(x <= 255, "a byte");
    __goblint_check(p.a + p.b <= 510);
    __ESBMC_assert(n == 2, "two bytes");
    klee_assert(&p);
    __CPROVER_atomic_begin();
    __CPROVER_atomic_end();
    assert(1ull << 40);
    int i = klee_range(3, 5, "i");
    klee_make_symbolic(&p, sizeof p, "p");
    __VERIFIER_assert(3 <= i && i < 5 && p.a >= 0);
    assert(__CPROVER_r_ok(&p, 2) && !__CPROVER_w_ok("ab", 1));
    return 0;
}
