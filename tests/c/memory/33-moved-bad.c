// check: valid-deref,valid-free,valid-memtrack
// run: valid-memtrack

// A pointer beyond the end of the block does not track it.
#include <stdlib.h>
static char *kept;
int main(void) {
    kept = malloc(4);
    kept += 5;
    return 0;
}
