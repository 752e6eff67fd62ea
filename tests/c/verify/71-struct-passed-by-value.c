// outcomes: 0
// verdict: TRUE

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct range {
    int low, high;
};

static struct range ordered(struct range r) {
    if (r.low > r.high) {
        int t = r.low;
        r.low = r.high;
        r.high = t;
    }
    return r;
}

int main(void) {
    struct range r;
    r.low = __VERIFIER_nondet_int();
    r.high = __VERIFIER_nondet_int();
    struct range s = ordered(r);
    if (s.low > s.high) reach_error();
    if (s.low != r.low && s.low != r.high) reach_error();
    return 0;
}
