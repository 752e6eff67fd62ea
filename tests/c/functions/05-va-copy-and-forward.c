// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stdarg.h>

static int sum_list(int n, va_list args) {
    int sum = 0;
    while (n-- > 0) sum += va_arg(args, int);
    return sum;
}

static int twice(int n, ...) {
    va_list first, second;
    va_start(first, n);
    int head = va_arg(first, int);
    va_copy(second, first);
    int a = sum_list(n - 1, first);
    int b = sum_list(n - 1, second);
    va_end(second);
    va_end(first);
    return head * 1000 + a + b;
}

static int largest(int first, ...) {
    va_list args;
    va_start(args, first);
    for (int next = first; next >= 0; next = va_arg(args, int))
        if (next > first) first = next;
    va_end(args);
    return first;
}

int main(void) {
    assert(twice(4, 7, 1, 2, 3) == 7012);
    assert(largest(3, 9, 4, -1) == 9);
    assert(largest(3, -1) == 3);
    int (*f)(int, ...) = largest;
    assert(f(1, 2, -1) == 2);
    return 0;
}
