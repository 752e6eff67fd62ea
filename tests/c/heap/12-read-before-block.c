// run: invalid-memory

#include <stdlib.h>

int main(void) {
    int *p = calloc(2, sizeof *p);
    int *q = p + 1, r;
    q -= 2;
    r = *q;
    free(p);
    return r;
}
