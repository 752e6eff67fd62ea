// check: valid-deref,valid-free,valid-memtrack
// run: valid-memtrack

// CWE-401: the only pointer is a local of main.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 1;
    return 0;
}
