// check: valid-deref
// run: exit 0

#define MORE <
#include "15-126-visitor-bad.c"
