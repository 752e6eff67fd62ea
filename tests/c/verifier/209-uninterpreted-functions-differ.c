// outcomes: 0 error
// verdict: FALSE

// Different arguments may get different answers, and one function has other answers than another.
int __CPROVER_uninterpreted_f(int);
int __CPROVER_uninterpreted_g(int);

int main(void) {
    int a = __CPROVER_uninterpreted_f(1), b = __CPROVER_uninterpreted_f(2);
    __CPROVER_assert(a != 7 || b != 8 || __CPROVER_uninterpreted_g(1) != 9, "any answers");
    return 0;
}
