// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

#define PLACE malloc(sizeof own)
#include "51-590-arguments-on-the-stack-bad.c"
