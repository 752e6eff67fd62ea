// run: invalid-memory

// C11 7.22.3.3p2: only a pointer returned by an allocation function may be freed.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4 * sizeof *p);
    free(p + 1);
    return 0;
}
