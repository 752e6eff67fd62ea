// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// CWE-121: the last element of a local array.
#include <stdlib.h>
int main(void) {
    int a[4];
    volatile int i = 3;
    a[i] = 1;
    return 0;
}
