// run: invalid-memory

#include <stdlib.h>

int main(void) {
    char *p = malloc(8), *q = p;
    free(p);
    p = NULL;
    free(p);
    free(q);
    return 0;
}
