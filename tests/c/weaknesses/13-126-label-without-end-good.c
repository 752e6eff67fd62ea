// check: valid-deref
// run: exit 0

// The field has a byte more than a label.
#define FIELD 9
#include "13-126-label-without-end-bad.c"
