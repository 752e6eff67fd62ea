// outcomes: 0 1 2 3
// verdict: TRUE

// Reading the data first makes all four combinations possible.
#define READ int d = data; int f = flag
#include "63-message-passing.c"
