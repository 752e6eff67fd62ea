// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// C11 7.22.3.3p2: free of a null pointer does nothing.
#include <stdlib.h>
int main(void) {
    int *p = 0;
    free(p);
    return 0;
}
