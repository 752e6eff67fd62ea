// run: exit 0
// verdict: TRUE

// Every activation has its own local, also when a pointer to it goes down.
#define MINE int mine
#include "28-recursion-shared-by-mistake.c"
