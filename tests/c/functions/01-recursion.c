// run: exit 0
// verdict: TRUE

#include <assert.h>

static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static void hanoi(int n, int from, int to, int *moves) {
    if (n == 0) return;
    int other = 6 - from - to;
    hanoi(n - 1, from, other, moves);
    ++*moves;
    hanoi(n - 1, other, to, moves);
}

int main(void) {
    assert(factorial(10) == 3628800);
    assert(fibonacci(12) == 144);
    assert(ackermann(2, 2) == 7);
    int moves = 0;
    hanoi(5, 1, 3, &moves);
    assert(moves == 31);
    return 0;
}
