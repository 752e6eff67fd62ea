// run: invalid-memory

#include <stdlib.h>

int main(void) {
    int local = 1;
    int *volatile p = &local;
    free(p);
    return 0;
}
