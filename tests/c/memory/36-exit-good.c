// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// exit ends no frame, so locals track memory, read or not.
#include <stdlib.h>
static void leave(void) {
    exit(0);
}
int main(void) {
    int *p = malloc(4);
    *p = 1;
    leave();
    return 0;
}
