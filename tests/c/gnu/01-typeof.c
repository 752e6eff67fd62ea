// run: exit 0
// verdict: TRUE

#include <assert.h>

static int calls;
static short effect(void) { calls++; return 1; }

int main(void) {
    int x = 5;
    typeof(x) y = 7;
    __typeof__(&x) p = &y;
    *p += x;
    assert(y == 12);
    // The operand is not evaluated, and keeps its unpromoted type.
    __typeof(effect()) s = 3;
    assert(calls == 0 && sizeof s == 2);
    __typeof__(int[3]) a = {1, 2, 3};
    assert(sizeof a == 12);
    __typeof__(a[0]) *q = a;
    assert(q[2] == 3);
    const __typeof__(1ull) big = ~0ull;
    assert(big + 1 == 0);
    typeof(typeof(char *)) text = "t";
    assert(*text == 't');
    unsigned char c = 200;
    __typeof__(c + 0) wide = c + 100;
    assert(wide == 300);
    return 0;
}
