// run: invalid-memory

#include <stdlib.h>
#include <string.h>

int main(void) {
    char from[10] = "123456789";
    char *to = malloc(8);
    volatile unsigned n = 10;
    memcpy(to, from, n);
    free(to);
    return 0;
}
