// run: unsupported
// verdict: TRUE

// Answers beyond the first few are not kept: what depends on them is not decided, and never refuted.
int __CPROVER_uninterpreted_f(int);

int main(void) {
    int i, first = __CPROVER_uninterpreted_f(11);
    for (i = 0; i < 12; i++) __CPROVER_uninterpreted_f(i);
    __CPROVER_assert(__CPROVER_uninterpreted_f(11) == first, "a function");
    return 0;
}
