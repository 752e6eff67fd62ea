// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-deref

// CWE-457: the last link of a chain is never set.
#include <stdlib.h>

#ifndef ALLOCATE
#define ALLOCATE(size) malloc(size)
#endif

struct link {
    int strength;
    struct link *below;
};

static int weakest(const struct link *link) {
    int least = 100;
    while (link != 0) {
        if (link->strength < least) least = link->strength;
        link = link->below;
    }
    return least;
}

int main(void) {
    struct link *chain = ALLOCATE(sizeof *chain);
    chain->strength = 30;
    int strength = weakest(chain);
    free(chain);
    return strength != 30;
}
