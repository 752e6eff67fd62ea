// check: no-overflow
// run: exit 0
// verdict: TRUE

// gcc's builtins compute with unlimited precision, and tell whether the result fits.
int main(void) {
    int max = 2147483647, sum;
    if (!__builtin_add_overflow(max, 1, &sum)) return 1;
    if (!__builtin_mul_overflow(max, max, &sum)) return 2;
    if (!__builtin_sub_overflow(-max, 2, &sum)) return 3;
    return 0;
}
