// check: valid-arithmetic
// outcomes: 0

#define INITIALLY = 1
#include "43-457-divisor-from-outside-bad.c"
