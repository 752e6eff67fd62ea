// run: exit 0
// verdict: TRUE

// A VLA's size is fixed when its declaration is reached (C11 6.7.6.2p2).
#include <assert.h>

static int fill(int n) {
    int a[n];
    assert(sizeof a == n * sizeof(int));
    int before = n;
    n = 100;
    assert(sizeof a == before * sizeof(int));
    for (int i = 0; i < before; i++) a[i] = i * i;
    int sum = 0;
    for (int *p = a; p < a + before; p++) sum += *p;
    return sum;
}

int main(void) {
    assert(fill(1) == 0);
    assert(fill(5) == 30);
    for (int n = 1; n < 4; n++) {
        char buffer[n + 1];
        buffer[n] = (char)n;
        assert(sizeof buffer == (unsigned)n + 1);
        assert(buffer[n] == n);
    }
    int n = 2;
    int evaluated = sizeof(int[n++]);
    assert(evaluated == 8 && n == 3);
    return 0;
}
