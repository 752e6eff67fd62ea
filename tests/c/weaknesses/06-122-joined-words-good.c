// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

#define END 1
#include "06-122-joined-words-bad.c"
