// run: exit 0
// verdict: TRUE

// Builtins that look at types, or at where they stand.
#define NUMBER(x) _Generic((x), float: 1, unsigned char: 2, default: 3)

int main(void) {
    unsigned char c = 7;
    if (NUMBER(__builtin_assoc_barrier(1.0f)) != 1) return 1;
    if (NUMBER(__builtin_speculation_safe_value(c)) != 2) return 2;
    if (__builtin_speculation_safe_value(c) != 7) return 3;
    if (__builtin_classify_type(c) != 1 || __builtin_classify_type("a") != 5) return 4;
    if (__builtin_classify_type(1.0) != 8) return 5;
    if (__builtin_LINE() != 14 || __builtin_FUNCTION()[3] != 'n') return 6;
    return 0;
}
