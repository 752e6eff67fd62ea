// outcomes: 1 2 12 21
// verdict: TRUE

// Without compare-and-swap a push can be lost: the later write of top wins alone.
#define SWAP(place, expected, value) (*(place) = (value), 1)
#include "74-lock-free-stack.c"
