// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define PITCH width
#include "07-122-matrix-rows-bad.c"
