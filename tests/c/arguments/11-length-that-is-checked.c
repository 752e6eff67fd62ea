// check: valid-arguments
// outcomes: 0
// verdict: TRUE

// A block on the heap is moved by as much as it is long, and another is another.
#include <stdlib.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned length = __VERIFIER_nondet_uchar();
    if (length == 0 || length > 4) return 0;
    char *block = malloc(2 * length), *other = malloc(2 * length);
    memset(block, 'a', 2 * length);
    memcpy(block + length, block, length);
    memcpy(other, block, 2 * length);
    free(block);
    free(other);
    return 0;
}
