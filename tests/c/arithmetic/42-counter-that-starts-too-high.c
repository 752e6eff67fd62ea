// check: no-overflow
// verdict: FALSE

// The counter meets its limit on the way: it starts 47 below the largest number.
#define START 2147483600
#include "41-counters-that-move-together.c"
