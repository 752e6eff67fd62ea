// check: no-overflow
// outcomes: 0

#define LARGEST (2147483647 / 10 - 1)
#include "22-190-number-in-a-text-bad.c"
