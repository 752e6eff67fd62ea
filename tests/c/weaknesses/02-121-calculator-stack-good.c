// check: valid-deref
// outcomes: 0

#define IS_FULL(stack) (stack->depth >= 3)
#include "02-121-calculator-stack-bad.c"
