// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// CWE-401: the block is freed.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 1;
    free(p);
    return 0;
}
