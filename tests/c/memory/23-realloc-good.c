// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// realloc frees the old block.
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    *p = 1;
    p = realloc(p, 8);
    int c = *p;
    free(p);
    return c - 1;
    return 0;
}
