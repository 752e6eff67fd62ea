// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define IS_LATE(result) (best != NULL)
#include "32-401-result-of-a-thread-bad.c"
