// run: invalid-memory

// The first byte of the int is inside the block, the last is not.
#include <stdlib.h>

int main(void) {
    char *p = calloc(1, 6);
    int *q = (int *)(p + 4);
    *q = 1;
    free(p);
    return 0;
}
