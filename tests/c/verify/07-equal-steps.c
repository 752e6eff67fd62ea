// outcomes: 0
// verdict: TRUE

#define STEP 3
#include "08-almost-equal-steps.c"
