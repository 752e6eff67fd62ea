// outcomes: 0 error
// verdict: FALSE

// Nothing keeps the two indices apart.
#define APART 1
#include "17-array-at-any-index.c"
