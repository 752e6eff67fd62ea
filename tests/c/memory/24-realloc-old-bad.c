// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// The old pointer after realloc.
#include <stdlib.h>
int main(void) {
    char *p = malloc(4), *q;
    *p = 1;
    q = realloc(p, 8);
    *p = 2;
    free(q);
    return 0;
}
