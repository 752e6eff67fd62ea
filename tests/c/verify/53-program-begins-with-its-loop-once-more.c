// run: error
// verdict: FALSE

#define ROUNDS 5
#include "52-program-begins-with-its-loop.c"
