// run: invalid-memory

#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p), *alias = p;
    *p = 1;
    free(p);
    p = malloc(sizeof *p);
    *p = 2;
    return *alias;
}
