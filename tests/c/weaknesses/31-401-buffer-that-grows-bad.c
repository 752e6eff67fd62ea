// check: valid-deref,valid-free,valid-memtrack
// run: valid-memtrack

// CWE-401: a buffer that grows forgets the smaller one that it was.
#include <stdlib.h>
#include <string.h>

#ifndef LET_GO
#define LET_GO(old) (void)old
#endif

typedef struct buffer {
    char *bytes;
    size_t used, size;
} buffer;

static void grow(buffer *b) {
    char *old = b->bytes;
    b->bytes = malloc(2 * b->size);
    memcpy(b->bytes, old, b->used);
    b->size *= 2;
    LET_GO(old);
}

static void put(buffer *b, char byte) {
    if (b->used == b->size) grow(b);
    b->bytes[b->used++] = byte;
}

int main(void) {
    buffer b = {malloc(1), 0, 1};
    for (const char *c = "abc"; *c; c++) put(&b, *c);
    free(b.bytes);
    return 0;
}
