// run: exit 0
// verdict: TRUE

// glibc refuses sizes above PTRDIFF_MAX, and says why. What realloc refuses stays as it was.
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *block = malloc(4), *none;
    block[3] = 7;
    errno = 0;
    none = malloc(-1);
    assert(none == NULL && errno == ENOMEM);
    errno = 0;
    none = malloc((size_t)PTRDIFF_MAX + 1);
    assert(none == NULL && errno == ENOMEM);
    errno = 0;
    none = calloc(2, SIZE_MAX / 2 - 1);
    assert(none == NULL && errno == ENOMEM);
    errno = 0;
    none = calloc(SIZE_MAX / 2, 4);
    assert(none == NULL && errno == ENOMEM);
    errno = 0;
    none = realloc(block, -8);
    assert(none == NULL && errno == ENOMEM && block[3] == 7);
    free(block);
    return 0;
}
