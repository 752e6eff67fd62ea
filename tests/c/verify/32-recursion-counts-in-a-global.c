// outcomes: 0
// verdict: TRUE

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned calls;

static void branch(unsigned depth) {
    calls++;
    if (depth == 0) return;
    branch(depth - 1);
    branch(depth - 1);
}

int main(void) {
    unsigned depth = __VERIFIER_nondet_uchar() % 3;
    branch(depth);
    if (calls != (2u << depth) - 1) reach_error();
    return 0;
}
