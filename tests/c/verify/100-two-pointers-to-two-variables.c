// outcomes: 0
// verdict: TRUE

// Each of two pointers leads to one of two variables, never both to the same: one of them is 1 at the end.
#define TURN _Bool
#define INPUT __VERIFIER_nondet_bool
#include "77-either-keeps-its-mark.c"
