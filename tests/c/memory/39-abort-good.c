// check: valid-deref,valid-free,valid-memtrack,valid-memcleanup
// run: exit 134

// abort leaves memory that its frames track.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 1;
    abort();
    return 0;
}
