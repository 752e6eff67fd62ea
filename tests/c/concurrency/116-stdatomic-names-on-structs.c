// outcomes: 0
// verdict: TRUE

// The functions of <stdatomic.h> by name, with values of structs and unions.
extern void reach_error(void);
struct pair { int a, b; };
union either { int whole; char part[4]; };
static _Atomic struct pair g;
static _Atomic union either u;

static void check(int condition) {
    if (!condition) reach_error();
}

int main(void) {
    struct pair n = {1, 2}, m = {3, 4}, old;
    union either e = {.whole = 0x01020304}, f;
    atomic_store(&g, n);
    old = atomic_load(&g);
    check(old.a == 1 && old.b == 2);
    old = atomic_exchange(&g, m);
    check(old.a == 1 && old.b == 2);
    check(!atomic_compare_exchange_strong(&g, &old, n));
    check(old.a == 3 && old.b == 4);
    check(atomic_compare_exchange_strong(&g, &old, n));
    old = g = m;
    check(old.a == 3 && old.b == 4);
    f = atomic_exchange(&u, e);
    check(f.whole == 0);
    f = atomic_load(&u);
    check(f.part[0] == 4);
    return 0;
}
