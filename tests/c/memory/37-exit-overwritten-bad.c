// check: valid-deref,valid-free,valid-memtrack
// run: valid-memtrack

// The pointer is overwritten before exit.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 1;
    p = 0;
    exit(0);
    return 0;
}
