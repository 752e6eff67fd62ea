// outcomes: 0
// verdict: TRUE

// As with two variables, on the heap.
#define TURN _Bool
#define INPUT __VERIFIER_nondet_bool
#include "78-either-keeps-its-mark-on-the-heap.c"
