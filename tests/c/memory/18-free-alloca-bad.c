// check: valid-deref,valid-free,valid-memtrack
// run: valid-free

// CWE-590: free of what alloca gave.
#include <stdlib.h>
#include <alloca.h>
int main(void) {
    int *p = alloca(4);
    free(p);
    return 0;
}
