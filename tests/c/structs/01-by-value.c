// run: exit 0
// verdict: TRUE

#include <assert.h>

struct point { int x, y; };
struct box { struct point a, b; char name[4]; };

static struct point move(struct point p, int dx) {
    p.x += dx;
    return p;
}

static struct box grow(struct box b) {
    b.b = move(b.b, 10);
    b.name[0] = 'g';
    return b;
}

int main(void) {
    struct point p = {1, 2}, q = p;
    q.x = 5;
    assert(p.x == 1 && q.y == 2);
    assert(move(p, 3).x == 4 && p.x == 1);
    struct box b = {{0, 0}, {4, 5}, "box"};
    struct box c = grow(b);
    assert(b.b.x == 4 && b.name[0] == 'b');
    assert(c.b.x == 14 && c.name[0] == 'g' && c.name[1] == 'o');
    struct box d;
    d = b = c;
    assert(d.b.x == 14 && b.name[0] == 'g');
    assert(grow(grow(b)).b.x == 34);
    struct point *r = &c.a;
    *r = c.b;
    assert(c.a.x == 14 && c.a.y == 5);
    return 0;
}
