// check: valid-deref,valid-free,valid-memtrack
// run: valid-free

// CWE-761: free of a pointer into a block.
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    p++;
    free(p);
    return 0;
}
