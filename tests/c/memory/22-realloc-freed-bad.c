// check: valid-deref,valid-free,valid-memtrack
// run: valid-free

// realloc of freed memory.
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    free(p);
    p = realloc(p, 8);
    free(p);
    return 0;
}
