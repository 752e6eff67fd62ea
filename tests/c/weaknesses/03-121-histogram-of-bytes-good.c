// check: valid-deref
// outcomes: 0

#define BINS 256
#include "03-121-histogram-of-bytes-bad.c"
