// run: exit 0
// verdict: TRUE

#include <assert.h>

struct s { int first, second; };

int main(void) {
    int a[4] = {0}, b = 0;
    int *p = a, *q = a + 3, *none = 0;
    assert(p < q && q > p && p <= p && p != q);
    assert(p + 3 == q && a + 4 > q);
    assert(none == 0 && !none && p);
    assert(&b != p && &b != none);
    struct s s;
    assert(&s.first < &s.second);
    assert((void *)&s == (void *)&s.first);
    assert((char *)&a[1] == (char *)a + sizeof *a);
    const int *c = p;
    assert(c == p);
    return 0;
}
