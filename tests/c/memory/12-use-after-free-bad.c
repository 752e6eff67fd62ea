// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-416: a read of freed memory.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 0;
    free(p);
    return *p;
    return 0;
}
