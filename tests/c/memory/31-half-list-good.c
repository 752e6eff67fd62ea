// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// All nodes of a list are freed.
#define FREED 3
#include "30-half-list-bad.c"
