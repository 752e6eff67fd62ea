// run: long
// verdict: FALSE

// The third time it is given back twice.
#define AGAIN old != new && new < 3
#include "13-lock-taken-once.c"
