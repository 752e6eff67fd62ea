// outcomes: 0 1
// verdict: TRUE

extern char __VERIFIER_nondet_char(void);

int main(void) {
    char c = __VERIFIER_nondet_char();
    return c < 0;
}
