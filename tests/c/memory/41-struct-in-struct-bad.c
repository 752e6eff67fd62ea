// check: valid-deref,valid-free,valid-memtrack
// run: valid-memtrack

// The outer block is freed, the inner one is not.
#include <stdlib.h>
struct outer {
    struct { int *p; } inner;
};
int main(void) {
    struct outer *o = malloc(sizeof *o);
    o->inner.p = malloc(4);
    free(o);
    return 0;
}
