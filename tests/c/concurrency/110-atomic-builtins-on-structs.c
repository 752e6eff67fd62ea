// run: exit 0
// verdict: TRUE

// The generic builtins move and compare whole structs and unions, not where they lie.
#include <assert.h>

struct pair { int a, b; };
struct padded { char c; int i; };
struct wide { int a[5]; };
struct link { struct link *next; long tag; };
union either { unsigned whole; unsigned short half[2]; };

static struct pair g;
static struct padded p;
static struct wide w;
static struct link l;
static union either u;

int main(void) {
    struct pair n = {1, 2}, m = {3, 4}, old;
    __atomic_store(&g, &n, 5);
    assert(g.a == 1 && g.b == 2);
    __atomic_load(&g, &old, 5);
    assert(old.a == 1 && old.b == 2);
    __atomic_exchange(&g, &m, &old, 5);
    assert(g.a == 3 && g.b == 4 && old.a == 1 && old.b == 2);
    struct pair expected = {3, 5};
    assert(!__atomic_compare_exchange(&g, &expected, &n, 0, 5, 5));
    assert(expected.a == 3 && expected.b == 4 && g.a == 3 && g.b == 4);
    assert(__atomic_compare_exchange(&g, &expected, &n, 0, 5, 5));
    assert(g.a == 1 && g.b == 2 && expected.b == 4);

    struct padded q = {5, 6}, r;
    __atomic_exchange(&p, &q, &r, 5);
    assert(p.c == 5 && p.i == 6 && r.c == 0 && r.i == 0);

    struct wide v = {{1, 2, 3, 4, 5}}, before;
    __atomic_exchange(&w, &v, &before, 5);
    assert(w.a[4] == 5 && before.a[4] == 0);

    struct link first = {0, 1}, second = {&first, 2};
    __atomic_store(&l, &second, 5);
    assert(l.next->tag == 1);
    assert(__atomic_compare_exchange(&l, &second, &first, 0, 5, 5) && l.next == 0 && l.tag == 1);

    union either e = {.whole = 0x10002}, f = {.whole = 0};
    assert(__atomic_compare_exchange(&u, &f, &e, 0, 5, 5));
    assert(u.half[0] == 2 && u.half[1] == 1);
    return 0;
}
