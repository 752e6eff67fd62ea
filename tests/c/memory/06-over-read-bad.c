// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-126: a read behind a block.
#include <stdlib.h>
int main(void) {
    char *p = calloc(4, 1);
    volatile int i = 4;
    char c = p[i];
    free(p);
    return c;
    return 0;
}
