// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// A pointer into the block tracks it, wherever in it.
#include <stdlib.h>
static char *kept;
int main(void) {
    kept = (char *)malloc(4) + 4;
    return 0;
}
