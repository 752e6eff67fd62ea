// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

#define BYTES(elements) ((elements) * sizeof(short))
#include "08-122-vector-grows-bad.c"
