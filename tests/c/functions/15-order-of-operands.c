// run: exit 0
// verdict: TRUE

// C leaves open whether an operand is read before or after a call changes it (6.5p3). gcc puts a
// variable behind what it is added to or compared with, and everything else in order.
#include <assert.h>

struct pair { int a, b; };
static int x, *p, a[3], b[3], u[3];
static struct pair s, t, *q;
static unsigned char c;

static int set_x(void) { x = 4; return 1; }
static double set_x_as_double(void) { x = 4; return 1; }
static int set_s(void) { s.a = 4; return 1; }
static int set_a(void) { a[0] = 4; return 1; }
static int set_p(void) { p = b; return 1; }
static int set_q(void) { q = &t; return 1; }
static int set_c(void) { c = 4; return 1; }
static int set(int *where) { *where = 4; return 1; }
static int first(void) { x = x * 10 + 1; return 1; }
static int second(void) { x = x * 10 + 2; return 2; }

static void reset(void) {
    x = s.a = a[0] = c = 2;
    a[1] = 3;
    b[0] = 40;
    b[1] = 50;
    t.a = 7;
    p = a;
    q = &s;
    u[0] = u[2] = 0;
}

static void variables(void) {
    int local = 2;
    reset(); assert(x + set_x() == 5);
    reset(); assert(x * set_x() == 4);
    reset(); assert((x ^ set_x()) == 5);
    reset(); assert(!(x < set_x() + 2));
    reset(); assert(x != set_x() + 1);
    reset(); assert((unsigned)x + set_x() == 5);
    reset(); assert(x + (0, set_x()) == 5);
    reset(); assert(x + ({ set_x(); }) == 5);
    reset(); assert(x + (1 + set_x()) == 6);
    assert(local + set(&local) == 5);
    reset(); assert(x - set_x() == 1);
    reset(); assert(x << set_x() == 4);
    reset(); assert(x + 1 + set_x() == 4);
    reset(); assert(x + -set_x() == 1);
    reset(); assert(x + set_x_as_double() == 3);
    reset(); assert(c + set_c() == 3);
}

static void memory(void) {
    reset(); assert(s.a + set_s() == 3);
    reset(); assert(q->a + set_q() == 3);
    reset(); assert(a[0] + set_a() == 3);
    reset(); assert(*p + set_a() == 3);
    reset(); assert(*p + set_p() == 3);
    reset(); assert(p + set_p() == a + 1);
    reset(); assert(p[set_p()] == 3);
    x = 0; assert(first() + second() == 3 && x == 12);
    x = 0; assert(second() - first() == 1 && x == 21);
}

static void compound_assignments(void) {
    int local = 2;
    reset(); x += set_x(); assert(x == 5);
    reset(); x -= set_x(); assert(x == 3);
    reset(); x <<= set_x(); assert(x == 8);
    reset(); x += set_x_as_double(); assert(x == 5);
    reset(); c -= set_c(); assert(c == 3);
    reset(); s.a += set_s(); assert(s.a == 5);
    reset(); a[0] += set_a(); assert(a[0] == 5);
    reset(); *p += set_p(); assert(a[0] == 2 && b[0] == 41);
    reset(); q->a += set_q(); assert(s.a == 2 && t.a == 8);
    reset(); p += set_p(); assert(p == b + 1);
    local -= set(&local); assert(local == 3);
}

static void assignments(void) {
    reset(); u[x - 2] = set_x(); assert(u[0] == 1 && u[2] == 0);
    reset(); u[x - 2] = 1 + set_x(); assert(u[0] == 0 && u[2] == 2);
    reset(); *p = set_p(); assert(a[0] == 1 && b[0] == 40);
    reset(); *p = 1 + set_p(); assert(a[0] == 2 && b[0] == 2);
    reset(); q->a = set_q(); assert(s.a == 1 && t.a == 7);
    reset(); x = x + set_x(); assert(x == 5);
    reset(); x = x - set_x(); assert(x == 1);
}

int main(void) {
    variables();
    memory();
    compound_assignments();
    assignments();
    return 0;
}
