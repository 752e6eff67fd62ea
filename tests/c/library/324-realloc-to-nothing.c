// run: exit 0
// verdict: TRUE

// glibc frees the block, and gives a null pointer; without a block it allocates.
#include <assert.h>
#include <stdlib.h>

static size_t none;

int main(void) {
    assert(realloc(malloc(4), none) == 0);
    assert(realloc(0, none) != 0);
    return 0;
}
