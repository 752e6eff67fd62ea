// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-127: a read before a global array.
#include <stdlib.h>
int g[2];
int main(void) {
    volatile int i = -1;
    return g[i];
    return 0;
}
