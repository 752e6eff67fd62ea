// outcomes: 0
// verdict: TRUE

// The generic functions of <stdatomic.h> on an atomic struct.
#include <assert.h>
#include <stdatomic.h>

struct pair { int a, b; };
static _Atomic struct pair g;

int main(void) {
    struct pair n = {1, 2}, m = {3, 4};
    atomic_store(&g, n);
    struct pair old = atomic_load(&g);
    assert(old.a == 1 && old.b == 2);
    old = atomic_exchange(&g, m);
    assert(old.a == 1 && old.b == 2);
    assert(!atomic_compare_exchange_strong(&g, &old, n));
    assert(old.a == 3 && old.b == 4);
    assert(atomic_compare_exchange_strong(&g, &old, n));
    m = g;
    assert(m.a == 1 && m.b == 2);
    return 0;
}
