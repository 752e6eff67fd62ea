// outcomes: 0
// verdict: TRUE

// Between the two looks at the condition, neither it nor the lock is known, only how they go together.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int wanted = __VERIFIER_nondet_int();
    int held;
    while (__VERIFIER_nondet_int() != 0) {
        held = 0;
        if (wanted != 0) held = 1;
        if (wanted != 0) {
            if (held != 1) reach_error();
            held = 0;
        }
    }
    return 0;
}
