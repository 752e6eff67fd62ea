// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-121: a write behind a local array.
#include <stdlib.h>
int main(void) {
    int a[4];
    volatile int i = 4;
    a[i] = 1;
    return 0;
}
