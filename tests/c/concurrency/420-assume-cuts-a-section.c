// outcomes: 0 1
// verdict: TRUE

// The section can never be taken, so nobody sees its first half; what comes before it stays visible.
#define HOLDS 0
#define SEEN y
#include "421-write-before-a-cut-section-is-seen.c"
