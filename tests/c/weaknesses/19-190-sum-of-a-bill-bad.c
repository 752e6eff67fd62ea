// check: no-overflow
// outcomes: 0 signed_overflow

// CWE-190: the sum of a bill has the type of its items.
#ifndef SUM
#define SUM int
#endif

extern int __VERIFIER_nondet_int(void);

struct bill {
    int items[3];
    SUM sum;
};

static void total(struct bill *bill) {
    bill->sum = 0;
    for (int i = 0; i < 3; i++) bill->sum += bill->items[i];
}

int main(void) {
    struct bill bill;
    for (int i = 0; i < 3; i++) bill.items[i] = __VERIFIER_nondet_int();
    total(&bill);
    return 0;
}
