// run: exit 0
// verdict: TRUE

#include <assert.h>

static int calls;
static int next(void) { return ++calls; }

int main(void) {
    int x = (next(), next(), 7);
    assert(x == 7 && calls == 2);
    int a, b;
    a = 1, b = 2;
    assert(a == 1 && b == 2);
    a = (b = 5, b + 1);
    assert(a == 6);
    for (a = 0, b = 10; a < b; a++, b--) continue;
    assert(a == 5 && b == 5);
    char c = 1;
    assert(sizeof(0, c) == 1);
    int array[3] = {(1, 2), 3};
    assert(array[0] == 2 && array[1] == 3 && array[2] == 0);
    assert((array[0, 1]) == 3);
    return 0;
}
