// check: valid-deref
// outcomes: 0

#define HIGHEST (COUNT - 1)
#include "14-126-binary-search-bad.c"
