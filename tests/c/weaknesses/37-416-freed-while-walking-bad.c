// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-416: a walk along a list reads the way on in a part that was freed.
#include <stdlib.h>

struct part {
    int weight;
    struct part *rest;
};

#ifndef FREE_ALL
#define FREE_ALL(parts) \
    for (; parts; parts = parts->rest) free(parts)
#endif

static struct part *with(int weight, struct part *rest) {
    struct part *part = calloc(1, sizeof(struct part));
    *part = (struct part){weight, rest};
    return part;
}

int main(void) {
    struct part *parts = 0;
    for (int weight = 3; weight > 0; weight--) parts = with(weight, parts);
    int light = parts->weight;
    FREE_ALL(parts);
    return light != 1;
}
