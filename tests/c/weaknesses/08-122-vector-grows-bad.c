// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-122: a vector that grows asks for as many bytes as it wants elements.
#include <stdlib.h>

#ifndef BYTES
#define BYTES(elements) (elements)
#endif

typedef struct {
    short *data;
    unsigned used, room;
} vector;

static void append(vector *v, short value) {
    if (v->used == v->room) {
        v->room *= 2;
        v->data = realloc(v->data, BYTES(v->room));
    }
    v->data[v->used++] = value;
}

int main(void) {
    vector v = {malloc(2 * sizeof(short)), 0, 2};
    for (short i = 0; i < 4; i++) append(&v, i);
    free(v.data);
    return 0;
}
