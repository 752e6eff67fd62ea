// One of two cells is written with 1, the other with 2. Which is which depends on an input.

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *cells = malloc(2 * sizeof *cells);
    unsigned first = __VERIFIER_nondet_int() > 0;
    unsigned second = 1 - first;

    cells[first] = 1;
    cells[second] = 2;
    assert(cells[0] + cells[1] == 3);
    return 0;
}
