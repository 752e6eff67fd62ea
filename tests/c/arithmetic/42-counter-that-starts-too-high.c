// check: no-overflow
// verdict: FALSE
// outcomes: 0 signed_overflow

// The counter meets its limit on the way: it starts 47 below the largest number.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int limit = __VERIFIER_nondet_int();
    if (limit < 0 || limit > 100)
        return 0;
    int steps = 0, position = 2147483600, parts = 0;
    while (steps < limit) {
        steps++;
        if (__VERIFIER_nondet_int())
            position++;
        else
            position--;
        if (__VERIFIER_nondet_int())
            parts = parts + 1;
    }
    int left = limit, done = 0;
    while (left > 0) {
        left--;
        done++;
    }
    return 0;
}
