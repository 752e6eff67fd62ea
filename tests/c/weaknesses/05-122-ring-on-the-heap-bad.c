// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-122: the writing position of a ring wraps around one element late.
#include <stdlib.h>

#ifndef LAST
#define LAST ring->size
#endif

struct ring {
    int *elements;
    int size, at;
};

static void put(struct ring *ring, int element) {
    ring->elements[ring->at] = element;
    ring->at = ring->at == LAST ? 0 : ring->at + 1;
}

int main(void) {
    struct ring ring = {0, 4, 0};
    ring.elements = malloc(ring.size * sizeof *ring.elements);
    for (int i = 0; i < 6; i++) put(&ring, i);
    free(ring.elements);
    return 0;
}
