// run: exit 0
// verdict: TRUE

#include <assert.h>

static int count;
static int yes(void) { count++; return 2; }
static int no(void) { count++; return 0; }

int main(void) {
    int r = no() && yes();
    assert(r == 0 && count == 1);
    r = yes() || no();
    assert(r == 1 && count == 2);
    r = yes() && yes();
    assert(r == 1 && count == 4);
    r = no() || (yes() && no()) || yes();
    assert(r == 1 && count == 8);
    int i = 0;
    (void)(i++ || i++);
    assert(i == 2);
    (void)(i++ && (i = 10));
    assert(i == 10);
    r = (i > 5) + (i > 9 && i < 11) * 2 + !i * 4;
    assert(r == 3);
    int *p = 0;
    assert(!(p && *p));
    if (!p || *p) count = 0;
    assert(count == 0);
    return 0;
}
