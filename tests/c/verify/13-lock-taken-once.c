// run: long
// verdict: TRUE

// The lock is taken again only after it was given back.
#define AGAIN old != new
#include "14-lock-given-twice.c"
