// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-deref

// CWE-122: elements of a matrix are found by its height, though rows have its width.
#include <stdlib.h>

#ifndef PITCH
#define PITCH height
#endif

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int width = 2, height = __VERIFIER_nondet_int() ? 2 : 3;
    int *matrix = calloc(width * height, sizeof(int));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            matrix[y * PITCH + x] = x == y;
    free(matrix);
    return 0;
}
