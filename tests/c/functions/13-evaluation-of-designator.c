// run: exit 0
// verdict: TRUE

// The called function may itself be computed by a call with side effects.
#include <assert.h>

static int selected;
static int first(int x) { return x + 1; }
static int second(int x) { return x + 2; }
static int (*const table[2])(int) = {first, second};
static int (*pick(void))(int) { return table[selected++ % 2]; }

int main(void) {
    int x = pick()(10);
    assert(x == 11);
    x = pick()(x);
    assert(x == 13 && selected == 2);
    x = (*pick())((*pick())(0));
    assert(x == 3 && selected == 4);
    assert((selected ? first : second)(1) == 2);
    return 0;
}
