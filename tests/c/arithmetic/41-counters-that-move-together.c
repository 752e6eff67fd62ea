// check: no-overflow
// verdict: TRUE
// run: exit 0

// No condition bounds position, parts or done: other counters of their loops do.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int limit = __VERIFIER_nondet_int();
    if (limit < 0 || limit > 100)
        return 0;
    int steps = 0, position = 0, parts = 0;
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
