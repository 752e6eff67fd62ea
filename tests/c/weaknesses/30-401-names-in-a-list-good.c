// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

#define DROP(name) free(name)
#include "30-401-names-in-a-list-bad.c"
