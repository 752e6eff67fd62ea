// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// A global tracks a list when main returns: it is not freed, but not lost either.
#include "35-global-cleanup-bad.c"
