// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// Nothing reads the block, but the write is behind its end.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    p[1] = 1;
    free(p);
    return 0;
}
