// check: valid-arithmetic
// outcomes: 0

#define LEAST 1
#include "27-369-buckets-bad.c"
