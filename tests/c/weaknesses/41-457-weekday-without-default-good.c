// check: valid-deref
// outcomes: 0

#define OTHERWISE index = 0
#include "41-457-weekday-without-default-bad.c"
