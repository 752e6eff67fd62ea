// outcomes: 0 error
// verdict: FALSE

// The fourth round differs.
#ifndef STEP
#define STEP (i == 3 ? 4 : 3)
#endif

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned x = 0, y = 0;
    for (int i = 0; i < n; i++) {
        x += 3;
        y += STEP;
    }
    if (x != y) reach_error();
    return 0;
}
