// check: no-overflow
// outcomes: 0

#define LOWEST(floor) (floor <= -3)
#include "25-191-lift-bad.c"
