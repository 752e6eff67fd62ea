// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-124: a write before a block.
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    volatile int i = -1;
    p[i] = 1;
    free(p);
    return 0;
}
