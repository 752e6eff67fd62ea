// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-122: the size counts bytes, the index elements.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    volatile int i = 1;
    p[i] = 1;
    free(p);
    return 0;
}
