// check: valid-deref
// outcomes: 0

#define STARTS(array, at) at == 0
#include "17-127-insertion-sort-bad.c"
