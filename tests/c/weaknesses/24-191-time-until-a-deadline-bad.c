// check: no-overflow
// outcomes: 0 1 signed_overflow

// CWE-191: deadlines are compared by their distance, which may not be a number of their type.
#ifndef IS_BEFORE
#define IS_BEFORE(a, b) ((a) - (b) < 0)
#endif

extern int __VERIFIER_nondet_int(void);

static int by_deadline(const int *a, const int *b) { return IS_BEFORE(*a, *b); }

static const int *first_of(const int *a, const int *b, int (*is_before)(const int *, const int *)) {
    return is_before(b, a) ? b : a;
}

int main(void) {
    int now = -5, deadline = __VERIFIER_nondet_int();
    return first_of(&now, &deadline, by_deadline) == &deadline;
}
