// check: valid-deref
// outcomes: 0

#define NO_VALUE(sign) !sign
#include "55-690-key-and-value-bad.c"
