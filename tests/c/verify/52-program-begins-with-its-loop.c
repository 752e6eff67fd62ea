// run: exit 0
// verdict: TRUE

#define ROUNDS 4
#include "53-program-begins-with-its-loop-once-more.c"
