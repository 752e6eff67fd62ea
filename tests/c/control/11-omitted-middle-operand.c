// run: exit 0
// verdict: TRUE

// GNU a ?: b evaluates a once.
#include <assert.h>

static int calls;
static int next(void) { return calls++; }

int main(void) {
    assert((next() ?: 40) == 40 && calls == 1);
    assert((next() ?: 40) == 1 && calls == 2);
    int x = 0;
    assert((x++ ?: 5) == 5 && x == 1);
    assert((x++ ?: 5) == 1 && x == 2);
    char *none = 0, text[] = "yes";
    assert((none ?: text)[0] == 'y');
    assert((x ?: 1ll) == 2 && sizeof(x ?: 1ll) == 8);
    assert((0 ?: 0 ?: 3) == 3);
    return 0;
}
