// outcomes: 0 error
// verdict: FALSE

// Nothing keeps the two indices apart.
#ifndef APART
#define APART 1
#endif

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static int table[8];

int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 8, j = __VERIFIER_nondet_uint() % 8;
    table[i] = 3;
    table[j] = 4;
    if (APART && table[i] != 3) reach_error();
    if (table[j] != 4) reach_error();
    return 0;
}
