struct inner { short s; unsigned bits : 5; };
struct point { int x, y; struct inner in; struct node *next; };
struct node { struct point at; struct node *next; };
union either { int i; float f; };
typedef struct { char c[3]; } unnamed;

struct point shared = { .y = 9 };
struct point many[3] = { { 0 }, { 5 } };
struct point moved(struct point p, int dx) { p.x += dx; return p; }
struct point (*operation)(struct point, int) = moved;
union either flip(union either u) { u.i = ~u.i; return u; }
unnamed first(unnamed u) { u.c[1] = 'A'; return u; }
long total(struct node n) { return n.at.x + n.at.y; }
int old_style(p) struct point p; { return p.x; }

struct hidden { int value; };
static struct hidden one = { 42 };
struct hidden *open_it(void) { return &one; }
int read_it(struct hidden *h) { return h->value; }

static inline int helper(void) { return 2; }
inline int in_header(int x) { return x + 1; }
static int private_state = 20;
int common = 7;
extern int sized[];
int unused(void) { return helper() + private_state + in_header(3) + sized[0]; }
