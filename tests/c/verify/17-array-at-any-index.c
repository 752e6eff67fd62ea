// outcomes: 0
// verdict: TRUE

#define APART i != j
#include "18-array-indices-meet.c"
