// run: exit 0
// verdict: TRUE

#include <assert.h>

#define KIND(x) _Generic((x), char: 1, int: 2, unsigned: 3, double: 4, char *: 5, const char *: 6, \
                         int *: 7, default: 0)

static int calls;
static int effect(void) { return ++calls; }

int main(void) {
    char c = 1;
    const int k = 2;
    int a[2] = {0};
    assert(KIND(c) == 1 && KIND('c') == 2 && KIND(c + c) == 2);
    assert(KIND(k) == 2 && KIND(1u) == 3 && KIND(1.0) == 4 && KIND(1.0f) == 0);
    assert(KIND("s") == 5 && KIND((const char *)"s") == 6 && KIND(a) == 7 && KIND(&a) == 0);
    assert(_Generic(effect(), int: 10, default: effect()) == 10 && calls == 0);
    assert(_Generic(1ll, long long: 2, int: effect()) == 2 && calls == 0);
    return 0;
}
