// run: invalid-memory

// Off by one: the terminator lands after the block.
#include <stdlib.h>

int main(void) {
    int n = 4;
    char *p = malloc(n);
    int i;
    for (i = 0; i < n; i++) p[i] = 'a';
    p[i] = 0;
    free(p);
    return 0;
}
