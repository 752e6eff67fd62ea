// check: no-overflow
// outcomes: 0 1

#define IS_BEFORE(a, b) ((a) < (b))
#include "24-191-time-until-a-deadline-bad.c"
