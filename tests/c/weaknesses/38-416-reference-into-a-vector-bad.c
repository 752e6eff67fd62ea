// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-deref

// CWE-416: a reference to an element is used after the elements have moved to a larger block.
#include <stdlib.h>

#ifndef FIRST
#define FIRST(scores) first
#endif

extern _Bool __VERIFIER_nondet_bool(void);

static int room = 1, used;

static int *append(int *scores, int score) {
    if (used == room) {
        int *larger = malloc(2 * room * sizeof(int));
        for (int i = 0; i < used; i++) larger[i] = scores[i];
        free(scores);
        scores = larger;
        room *= 2;
    }
    scores[used++] = score;
    return scores;
}

int main(void) {
    int *scores = append(malloc(sizeof(int)), 10);
    int *first = &scores[0];
    if (__VERIFIER_nondet_bool()) scores = append(scores, 20);
    *FIRST(scores) += 5;
    free(scores);
    return first == 0;
}
