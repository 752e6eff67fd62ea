// check: valid-deref,valid-free,valid-memtrack
// run: valid-memtrack

// The frame that held the pointer has ended.
#include <stdlib.h>
static void take(void) {
    int *p = malloc(4);
    *p = 1;
}
int main(void) {
    take();
    exit(0);
    return 0;
}
