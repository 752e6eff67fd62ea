// check: valid-deref,valid-free,valid-memtrack
// run: valid-free

// realloc of a pointer into a block.
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    p = realloc(p + 1, 8);
    free(p);
    return 0;
}
