// check: valid-deref
// outcomes: 0

#define MORE last >= line
#include "09-124-trailing-blanks-bad.c"
