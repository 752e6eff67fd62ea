// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define ALLOCATE(size) calloc(1, size)
#include "42-457-link-that-is-not-set-bad.c"
