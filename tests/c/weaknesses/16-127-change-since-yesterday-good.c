// check: valid-deref
// run: exit 0

#define FIRST 1
#include "16-127-change-since-yesterday-bad.c"
