// check: valid-deref,valid-free,valid-memtrack
// run: valid-free

// CWE-590: free of a global.
#include <stdlib.h>
int g;
int main(void) {
    int *p = &g;
    free(p);
    return 0;
}
