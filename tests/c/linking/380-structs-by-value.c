// run: exit 0
// verdict: TRUE

// Each file declares its own records; calls and variables link by what these consist of.
#include <assert.h>

struct node;
struct inner { short s; unsigned bits : 5; };
struct point { int x, y; struct inner in; struct node *next; };
struct node { struct point at; struct node *next; };
union either { int i; float f; };
typedef struct { char c[3]; } unnamed;

extern struct point shared;
extern struct point many[];
extern struct hidden *handle;
struct point moved(struct point p, int dx);
union either flip(union either u);
unnamed first(unnamed u);
long total(struct node n);
int old_style();
extern struct point (*operation)(struct point, int);
struct hidden *open_it(void);
int read_it(struct hidden *h);

static inline int helper(void) { return 1; }
inline int in_header(int x) { return x + 1; }
extern inline int in_header(int x);
static int private_state = 10;
extern int common;
int sized[4];

int main(void) {
    struct point p = { 1, 2, { 3, 4 }, 0 };
    p = moved(p, 5);
    assert(p.x == 6 && p.y == 2 && p.in.bits == 4);
    assert(operation(p, 1).x == 7);
    union either u = { .i = 3 };
    assert(flip(u).i == ~3);
    unnamed n = { { 'a', 'b', 'c' } };
    assert(first(n).c[1] == 'A');
    struct node list = { p, 0 };
    assert(total(list) == 8);
    assert(shared.y == 9 && many[1].x == 5);
    shared = many[1];
    assert(old_style(shared) == 5);
    assert(read_it(open_it()) == 42);
    assert(in_header(1) == 2 && helper() == 1 && private_state == 10);
    assert(common == 7 && sizeof sized == 16 && sized[3] == 0);
    return 0;
}
