// outcomes: 0 invalid-memory
// verdict: TRUE

// Nobody stored a pointer in the new memory. Whatever is found there, it is no way to get at the variables
// of the program.
#include <stdlib.h>

extern void *__VERIFIER_nondet_pointer(void);
extern void reach_error(void);

struct cell {
    int value;
    int *other;
};

int main(void) {
    int kept = 1;
    int *mine = &kept;
    struct cell *cell = malloc(sizeof *cell);
    if (cell == NULL) return 0;
    cell->value = 1;
    int *found = cell->other, *given = __VERIFIER_nondet_pointer();
    if (found == NULL || given == NULL) return 0;
    *found = 2;
    *given = 3;
    if (*mine != 1 || cell->value != 1) reach_error();
    return 0;
}
