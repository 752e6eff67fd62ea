// outcomes: 0 error
// verdict: FALSE

// The call passes more arguments than the functions have parameters, and either may be meant.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static int sum(int count, ...) {
    __builtin_va_list list;
    int total = 0;
    __builtin_va_start(list, count);
    for (; count > 0; count--) total += __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return total;
}

static int nothing(int count, ...) { return -count; }

int main(void) {
    int (*f)(int, ...) = __VERIFIER_nondet_bool() ? sum : nothing;
    if (f(2, 3, 4) == 7) reach_error();
    return 0;
}
