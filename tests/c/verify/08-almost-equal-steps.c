// outcomes: 0 error
// verdict: FALSE

// The fourth round differs.
#define STEP (i == 3 ? 4 : 3)
#include "07-equal-steps.c"
