// run: invalid-memory

// The old pointer is dead after realloc, even where the block did not move (C11 7.22.3.5).
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p), *old = p;
    *p = 5;
    p = realloc(p, 1000 * sizeof *p);
    int r = *old;
    free(p);
    return r;
}
