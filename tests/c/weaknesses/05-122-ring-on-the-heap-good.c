// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

#define LAST ring->size - 1
#include "05-122-ring-on-the-heap-bad.c"
