// run: long
// verdict: FALSE

// Counting up without end comes to zero again.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned char steps = 0;
    while (__VERIFIER_nondet_int()) {
        steps++;
        if (steps < 1) reach_error();
    }
    return 0;
}
