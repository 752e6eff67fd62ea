// run: exit 0
// verdict: TRUE

// GNU zero-length arrays and empty structs occupy nothing.
#include <assert.h>

struct empty {};
struct marker { int a; char here[0]; int b; };

int main(void) {
    assert(sizeof(struct empty) == 0);
    assert(sizeof(int[0]) == 0);
    assert(sizeof(struct marker) == 8);
    struct marker m = {1, {}, 2};
    assert((void *)m.here == (void *)&m.b);
    struct { int x; struct empty e; char y; } s = {.y = 3};
    assert(sizeof s == 8 && s.y == 3 && (char *)&s.e == &s.y);
    return 0;
}
