// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <string.h>

struct mixed { char c; short s; int a[2]; struct { char x; } n; };

int main(void) {
    struct mixed m[3] = {{'a', 1, {2, 3}, {'b'}}};
    m[1] = m[0];
    memcpy(&m[2], &m[1], sizeof m[0]);
    assert(m[2].c == 'a' && m[2].s == 1 && m[2].a[1] == 3 && m[2].n.x == 'b');
    m[0].a[0] = 50;
    memmove(&m[1], &m[0], 2 * sizeof m[0]);
    assert(m[1].a[0] == 50 && m[2].a[0] == 2);
    m[1] = m[1];
    assert(m[1].n.x == 'b');
    struct mixed *p = m, *q = m + 1;
    *p = *q;
    p->s = -1;
    assert(q->s == 1 && m[0].s == -1);
    return 0;
}
