// check: valid-deref,valid-free,valid-memtrack
// run: valid-free

// CWE-415: the second free of a block.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    free(p);
    free(p);
    return 0;
}
