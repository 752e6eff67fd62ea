// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// An integer that is the address tracks the block.
#include <stdlib.h>
static unsigned long kept;
int main(void) {
    kept = (unsigned long)malloc(4);
    return 0;
}
