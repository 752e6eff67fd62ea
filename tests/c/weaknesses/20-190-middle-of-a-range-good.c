// check: no-overflow
// outcomes: 0

#define MIDDLE(low, high) (low + (high - low) / 2)
#include "20-190-middle-of-a-range-bad.c"
