// check: no-overflow
// outcomes: 0 signed_overflow

// CWE-190: the middle of a range is found by a sum that may be too large.
#ifndef MIDDLE
#define MIDDLE(low, high) ((low + high) / 2)
#endif

extern int __VERIFIER_nondet_int(void);

typedef struct { int low, high; } range;

static int lower_half(range *whole) {
    int middle = MIDDLE(whole->low, whole->high);
    whole->high = middle;
    return middle;
}

int main(void) {
    range whole = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
    if (whole.low < 0 || whole.high < whole.low) return 0;
    return lower_half(&whole) < whole.low;
}
