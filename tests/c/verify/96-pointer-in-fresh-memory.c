// outcomes: 0 error invalid-memory
// verdict: FALSE

// What new memory holds may happen to be a pointer back into it.
#include <stdlib.h>

extern void reach_error(void);

struct cell {
    int value;
    struct cell *other;
};

int main(void) {
    struct cell *cell = malloc(sizeof *cell);
    if (cell == NULL) return 0;
    cell->value = 1;
    struct cell *other = cell->other;
    if (other == NULL) return 0;
    other->value = 2;
    if (cell->value == 2) reach_error();
    return 0;
}
