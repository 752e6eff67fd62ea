// run: exit 0
// verdict: TRUE

// What nothing was written to has its initial value, in large objects, too.
extern void reach_error(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

static int table[8192], some[6000] = {3, 4};

int main(void) {
    unsigned i = __VERIFIER_nondet_ushort() % 8192;
    if (table[i]) reach_error();
    table[17] = 5;
    if (table[17] != 5 || table[18] || some[1] != 4 || some[5999]) reach_error();
    return 0;
}
