// check: valid-deref
// outcomes: 0

#define DIGITS 5
#include "10-124-digits-backwards-bad.c"
