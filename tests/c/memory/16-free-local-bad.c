// check: valid-deref,valid-free,valid-memtrack
// run: valid-free

// CWE-590: free of a local.
#include <stdlib.h>
int main(void) {
    int x = 0;
    int *p = &x;
    free(p);
    return 0;
}
