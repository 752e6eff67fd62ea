// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// CWE-122: the size counts elements.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4 * sizeof(int));
    volatile int i = 3;
    p[i] = 1;
    free(p);
    return 0;
}
